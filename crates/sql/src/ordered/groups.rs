//! Values and their keys, by groups.

use std::mem::size_of;
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, GenericByteViewArray, ListArray, UInt32Array,
    new_empty_array,
};
use datafusion::arrow::buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use datafusion::arrow::compute::{SortOptions, filter, interleave, take};
use datafusion::arrow::datatypes::{ByteViewType, DataType, Field};
use datafusion::arrow::row::{Row, RowConverter, SortField};
use datafusion::common::{Result, exec_err, internal_datafusion_err, internal_err};

/// The number of values whose keys are compared at once, unless one group has more.
const SORTED_AT_ONCE: usize = 1 << 16;

/// The values of all groups with their keys, in the order of their arrival.
#[derive(Debug)]
pub(super) struct Groups {
    /// The type of the values, and those of the keys.
    types: Vec<DataType>,
    /// The order of each key.
    orders: Vec<SortOptions>,
    batches: Vec<Batch>,
    /// The number of groups.
    groups: usize,
    bytes: usize,
}

/// Some values with their keys.
#[derive(Debug)]
struct Batch {
    /// The values, and a column for each key.
    columns: Vec<ArrayRef>,
    /// The group and the row of each value that counts.
    entries: Vec<(u32, u32)>,
    bytes: usize,
}

/// Values by groups: those of a group are between two offsets.
struct Places {
    offsets: Vec<i32>,
    /// The batch and the row of each value.
    places: Vec<(usize, usize)>,
}

impl Groups {
    /// No groups yet.
    pub(super) fn new(value: DataType, keys: Vec<(DataType, SortOptions)>) -> Self {
        let (keys, orders): (Vec<DataType>, Vec<SortOptions>) = keys.into_iter().unzip();
        let types = std::iter::once(value).chain(keys).collect();
        Self { types, orders, batches: Vec::new(), groups: 0, bytes: 0 }
    }

    /// The number of groups.
    pub(super) fn len(&self) -> usize {
        self.groups
    }

    /// The number of bytes in memory, with those that [`sorted`](Self::sorted) takes for each value.
    pub(super) fn size(&self) -> usize {
        self.bytes
    }

    /// Adds the values of a batch, given the group and the row of each that counts. `total` is the number of groups.
    pub(super) fn push(
        &mut self,
        columns: Vec<ArrayRef>,
        entries: Vec<(usize, usize)>,
        total: usize,
    ) -> Result<()> {
        self.groups = self.groups.max(total);
        let entries = entries.into_iter().map(|(group, row)| Ok((small(group)?, small(row)?)));
        let entries = entries.collect::<Result<Vec<_>>>()?;
        if !entries.is_empty() {
            let columns = columns.into_iter().map(compact).collect();
            self.add(columns, entries);
        }
        Ok(())
    }

    fn add(&mut self, columns: Vec<ArrayRef>, entries: Vec<(u32, u32)>) {
        let of_entry = size_of::<(u32, u32)>() + size_of::<(usize, usize)>();
        let bytes = columns.iter().map(bytes_of).sum::<usize>()
            + columns.len() * size_of::<ArrayRef>()
            + entries.len() * of_entry
            + size_of::<Batch>();
        self.bytes += bytes;
        self.batches.push(Batch { columns, entries, bytes });
    }

    /// Adds what [`state`](Self::state) has returned: for each row, the group to which its lists belong.
    pub(super) fn merge(
        &mut self,
        state: &[ArrayRef],
        groups: &[usize],
        total: usize,
    ) -> Result<()> {
        let lists = state.iter().map(|column| {
            let lists = column.as_list_opt::<i32>();
            lists.ok_or_else(|| {
                internal_datafusion_err!("expected lists, found {}", column.data_type())
            })
        });
        let lists = lists.collect::<Result<Vec<&ListArray>>>()?;
        let Some(values) = lists.first() else { return internal_err!("a state without lists") };
        let columns = lists.iter().map(|list| {
            let (first, end) = (list.value_offsets()[0], list.value_offsets()[list.len()]);
            list.values().slice(first as usize, (end - first) as usize)
        });
        let columns: Vec<ArrayRef> = columns.collect();
        if columns.iter().any(|column| column.len() != columns[0].len()) {
            return internal_err!("lists of values and keys differ in length");
        }
        let first = values.value_offsets()[0];
        let mut entries = Vec::with_capacity(columns[0].len());
        for (range, group) in values.value_offsets().windows(2).zip(groups) {
            entries.extend((range[0] - first..range[1] - first).map(|row| (*group, row as usize)));
        }
        self.push(columns, entries, total)
    }

    /// The values and the keys of the first groups, for [`merge`](Self::merge): as lists, in the order of arrival.
    pub(super) fn state(&self, groups: usize) -> Result<Vec<ArrayRef>> {
        let Places { offsets, places } = self.places(groups)?;
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        let columns = (0..self.types.len()).map(|column| self.gather(column, &places));
        let columns = columns.collect::<Result<Vec<_>>>()?;
        let all = BooleanArray::from(vec![true; places.len()]);
        self.lists(columns, &all, &offsets)
    }

    /// Lists of the values and of the keys in the rows that count.
    pub(super) fn lists(
        &self,
        columns: Vec<ArrayRef>,
        counted: &BooleanArray,
        offsets: &OffsetBuffer<i32>,
    ) -> Result<Vec<ArrayRef>> {
        let lists = columns.into_iter().zip(&self.types).map(|(column, kind)| {
            let column = if counted.has_false() { filter(&column, counted)? } else { column };
            let field = Arc::new(Field::new_list_field(kind.clone(), true));
            Ok(Arc::new(ListArray::try_new(field, offsets.clone(), column, None)?) as ArrayRef)
        });
        lists.collect()
    }

    /// The values of the first groups, in the order of their keys. A group without values is null.
    pub(super) fn sorted(&self, groups: usize) -> Result<ListArray> {
        let mut found = self.places(groups)?;
        self.sort(&mut found)?;
        let Places { offsets, places } = found;
        let values = self.gather(0, &places)?;
        let nulls: NullBuffer = offsets.windows(2).map(|range| range[0] < range[1]).collect();
        let nulls = (nulls.null_count() > 0).then_some(nulls);
        let field = Arc::new(Field::new_list_field(self.types[0].clone(), true));
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        Ok(ListArray::try_new(field, offsets, values, nulls)?)
    }

    /// The places of the values of the first groups, in the order of arrival.
    fn places(&self, groups: usize) -> Result<Places> {
        let mut ends = vec![0_usize; groups];
        let entries = || {
            let batches = self.batches.iter().enumerate();
            let entries = batches.flat_map(|(batch, all)| {
                all.entries
                    .iter()
                    .map(move |(group, row)| (*group as usize, (batch, *row as usize)))
            });
            entries.filter(|(group, _)| *group < groups)
        };
        entries().for_each(|(group, _)| ends[group] += 1);
        let mut offsets = Vec::with_capacity(groups + 1);
        offsets.push(0_i32);
        let mut all = 0;
        for end in &mut ends {
            let count = *end;
            // The next place of the group; after the last one, its end.
            *end = all;
            all += count;
            let Ok(offset) = i32::try_from(all) else {
                return exec_err!("lists of more than 2,147,483,647 values together");
            };
            offsets.push(offset);
        }
        let mut places = vec![(0, 0); all];
        for (group, place) in entries() {
            places[ends[group]] = place;
            ends[group] += 1;
        }
        Ok(Places { offsets, places })
    }

    /// Sorts the values of each group by their keys. Values with equal keys stay in the order of arrival.
    fn sort(&self, Places { offsets, places }: &mut Places) -> Result<()> {
        let fields = self.types.iter().skip(1).zip(&self.orders);
        let fields = fields.map(|(kind, order)| SortField::new_with_options(kind.clone(), *order));
        let converter = RowConverter::new(fields.collect())?;
        let mut rows = converter.empty_rows(0, 0);
        let (mut order, mut sorted) = (Vec::new(), Vec::new());
        let mut rest = offsets.as_slice();
        while let [first, later @ ..] = rest {
            let most = SORTED_AT_ONCE as i32;
            let count = later.iter().take_while(|end| **end - *first <= most).count();
            let count = count.max(1).min(later.len());
            let Some(end) = later.get(count.saturating_sub(1)) else { break };
            let together = &mut places[*first as usize..*end as usize];
            let keys = (1..self.types.len()).map(|key| self.gather(key, together));
            rows.clear();
            converter.append(&mut rows, &keys.collect::<Result<Vec<_>>>()?)?;
            for group in rest[..=count].windows(2) {
                let group = (group[0] - *first) as usize..(group[1] - *first) as usize;
                let places = &mut together[group.clone()];
                if group.clone().is_sorted_by(|a, b| rows.row(*a) <= rows.row(*b)) {
                    continue;
                }
                order.clear();
                order.extend(group.clone().map(|row| (beginning(rows.row(row)), row)));
                order.sort_by(|(a, first): &(u128, usize), (b, second)| {
                    a.cmp(b).then_with(|| rows.row(*first).cmp(&rows.row(*second)))
                });
                sorted.clear();
                sorted.extend(order.iter().map(|(_, row)| places[row - group.start]));
                places.copy_from_slice(&sorted);
            }
            rest = &rest[count..];
        }
        Ok(())
    }

    /// The cells of a column in these places.
    fn gather(&self, column: usize, places: &[(usize, usize)]) -> Result<ArrayRef> {
        if places.is_empty() {
            return Ok(new_empty_array(&self.types[column]));
        }
        let columns = self.batches.iter().map(|batch| batch.columns[column].as_ref());
        Ok(interleave(&columns.collect::<Vec<&dyn Array>>(), places)?)
    }

    /// Removes the first groups; those that remain are numbered from 0.
    pub(super) fn remove(&mut self, groups: usize) -> Result<()> {
        self.groups = self.groups.saturating_sub(groups);
        self.bytes = 0;
        let groups = small(groups)?;
        for batch in std::mem::take(&mut self.batches) {
            let remain = batch.entries.iter().filter(|(group, _)| *group >= groups);
            let remain: Vec<(u32, u32)> =
                remain.map(|(group, row)| (group - groups, *row)).collect();
            if remain.len() == batch.entries.len() {
                self.bytes += batch.bytes;
                self.batches.push(Batch { entries: remain, ..batch });
            } else if !remain.is_empty() {
                // Rows that are not needed any more would stay in memory.
                let rows: UInt32Array = remain.iter().map(|(_, row)| *row).collect();
                let columns =
                    batch.columns.iter().map(|column| Ok(compact(take(column, &rows, None)?)));
                let columns = columns.collect::<Result<Vec<_>>>()?;
                let entries = remain.iter().map(|(group, _)| *group).zip(0..).collect();
                self.add(columns, entries);
            }
        }
        Ok(())
    }
}

/// The first bytes of a row, which decide most comparisons without another memory access.
fn beginning(row: Row<'_>) -> u128 {
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(row.data()).for_each(|(to, from)| *to = *from);
    u128::from_be_bytes(bytes)
}

/// A number of a group or of a row.
fn small(number: usize) -> Result<u32> {
    let number = u32::try_from(number);
    number.map_err(|_| internal_datafusion_err!("more than 4,294,967,295 groups or rows"))
}

/// The column, without texts or bytes of other rows if they are most of what it refers to.
fn compact(column: ArrayRef) -> ArrayRef {
    if let Some(views) = column.as_string_view_opt()
        && held(views) > 2 * views.total_buffer_bytes_used()
    {
        return Arc::new(views.gc());
    }
    if let Some(views) = column.as_binary_view_opt()
        && held(views) > 2 * views.total_buffer_bytes_used()
    {
        return Arc::new(views.gc());
    }
    column
}

/// The number of bytes of the cells of a column.
fn bytes_of(column: &ArrayRef) -> usize {
    let texts = column.as_string_view_opt().map(held);
    let long = texts.or_else(|| column.as_binary_view_opt().map(held)).unwrap_or(0);
    let cells = column.to_data().get_slice_memory_size();
    long + cells.unwrap_or_else(|_| column.get_array_memory_size())
}

/// The number of bytes of the buffers to which views refer.
fn held<T: ByteViewType>(views: &GenericByteViewArray<T>) -> usize {
    views.data_buffers().iter().map(|buffer| buffer.len()).sum()
}
