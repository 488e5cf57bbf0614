//! The files of a snapshot, from the rows of a scan, with any engine.

use std::collections::HashSet;
use std::sync::LazyLock;

use delta_kernel::KernelResult;
use delta_kernel::engine_data::{
    FilteredRowVisitor, GetData, MapItem, RowIndexIterator, TypedGetData,
};
use delta_kernel::expressions::ColumnName;
use delta_kernel::schema::{DataType, MapType};

/// The row of a file in a scan with the statistics of `id`.
pub(crate) struct ScanFile<'a> {
    /// Its name in the log.
    pub(crate) path: &'a str,
    pub(crate) size: Option<i64>,
    /// The number of rows, including deleted ones.
    pub(crate) rows: Option<i64>,
    pub(crate) first_id: Option<i64>,
    pub(crate) last_id: Option<i64>,
    /// The type and the location of its deletion vector.
    pub(crate) vector_type: Option<&'a str>,
    pub(crate) vector_place: Option<&'a str>,
    tags: Option<MapItem<'a>>,
}

impl<'a> ScanFile<'a> {
    pub(crate) fn tag(&self, name: &str) -> Option<&'a str> {
        self.tags.as_ref()?.get(name)
    }
}

/// Passes on the files of a scan.
pub(crate) struct ScanFiles<F>(pub(crate) F);

impl<F: FnMut(ScanFile<'_>)> FilteredRowVisitor for ScanFiles<F> {
    fn selected_column_names_and_types(&self) -> (&'static [ColumnName], &'static [DataType]) {
        static COLUMNS: LazyLock<(Vec<ColumnName>, Vec<DataType>)> = LazyLock::new(|| {
            let column = |path: &[&str]| ColumnName::new(path.iter().copied());
            [
                (column(&["path"]), DataType::STRING),
                (column(&["size"]), DataType::LONG),
                (column(&["stats_parsed", "numRecords"]), DataType::LONG),
                (column(&["stats_parsed", "minValues", "id"]), DataType::LONG),
                (column(&["stats_parsed", "maxValues", "id"]), DataType::LONG),
                (
                    column(&["fileConstantValues", "tags"]),
                    MapType::new(DataType::STRING, DataType::STRING, true).into(),
                ),
                (column(&["deletionVector", "storageType"]), DataType::STRING),
                (column(&["deletionVector", "pathOrInlineDv"]), DataType::STRING),
            ]
            .into_iter()
            .unzip()
        });
        (&COLUMNS.0, &COLUMNS.1)
    }

    fn visit_filtered<'a>(
        &mut self,
        getters: &[&'a dyn GetData<'a>],
        rows: RowIndexIterator<'_>,
    ) -> KernelResult<()> {
        for row in rows {
            (self.0)(ScanFile {
                path: getters[0].get(row, "path")?,
                size: getters[1].get_opt(row, "size")?,
                rows: getters[2].get_opt(row, "numRecords")?,
                first_id: getters[3].get_opt(row, "minValues.id")?,
                last_id: getters[4].get_opt(row, "maxValues.id")?,
                tags: getters[5].get_opt(row, "tags")?,
                vector_type: getters[6].get_opt(row, "storageType")?,
                vector_place: getters[7].get_opt(row, "pathOrInlineDv")?,
            });
        }
        Ok(())
    }
}

/// Selects the files of a scan that have some names in the log.
#[derive(Debug)]
pub(crate) struct Named<'a> {
    names: &'a HashSet<&'a str>,
    /// True for each selected row.
    pub(crate) selected: Vec<bool>,
}

impl<'a> Named<'a> {
    pub(crate) fn new(names: &'a HashSet<&'a str>) -> Self {
        Self { names, selected: Vec::new() }
    }
}

impl FilteredRowVisitor for Named<'_> {
    fn selected_column_names_and_types(&self) -> (&'static [ColumnName], &'static [DataType]) {
        static NAMES: LazyLock<[ColumnName; 1]> = LazyLock::new(|| [ColumnName::new(["path"])]);
        (&*NAMES, &[DataType::STRING])
    }

    fn visit_filtered<'b>(
        &mut self,
        getters: &[&'b dyn GetData<'b>],
        rows: RowIndexIterator<'_>,
    ) -> KernelResult<()> {
        self.selected = vec![false; rows.num_rows()];
        for row in rows {
            let name: &str = getters[0].get(row, "path")?;
            self.selected[row] = self.names.contains(name);
        }
        Ok(())
    }
}
