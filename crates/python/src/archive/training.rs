//! Positions for training: batches that are shuffled, in shards, and resumable.

use std::num::NonZero;
use std::sync::Mutex;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use halfmove_archive::training::PositionForm;
use halfmove_archive::{
    Archive, ArchiveError, Filter, Shard, TrainingBatches, TrainingCursor, TrainingOptions,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyCapsule, PyDict};

use super::{PyArchive, filter_of};
use crate::capsule;
use crate::error::of_archive;
use crate::filter::plies_of;
use crate::rows::{Reader, Rows, Source};
use crate::work::{self, Stop, interruptible};

/// Positions for training, in batches. Each iteration begins at the first batch, or where `resume` says.
///
/// >>> import halfmove
/// >>> training = halfmove.open(folder).to_training(batch_size=4)
/// >>> [len(batch) for batch in training]
/// [4, 4, 1]
#[pyclass(module = "halfmove", frozen)]
pub(crate) struct Training {
    archive: Archive,
    filter: Filter,
    options: TrainingOptions,
    shard: (u64, u64),
    schema: SchemaRef,
}

impl Training {
    fn begin(&self, stop: &Stop) -> PyResult<TrainingBatches> {
        let archive = self.archive.with_cancel(&stop.token);
        archive.training(&self.filter, &self.options).map_err(of_archive)
    }

    fn source(&self) -> Source {
        let (archive, filter, options) =
            (self.archive.clone(), self.filter.clone(), self.options.clone());
        let schema = self.schema.clone();
        Source {
            schema: self.schema.clone(),
            open: Box::new(move |stop| {
                let archive = archive.with_cancel(&stop.token);
                let batches = archive.training(&filter, &options).map_err(of_archive)?;
                Ok(Box::new(Batches { schema: schema.clone(), batches }) as Reader)
            }),
        }
    }
}

/// The batches as a reader.
struct Batches {
    schema: SchemaRef,
    batches: TrainingBatches,
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let external = |error: ArchiveError| ArrowError::ExternalError(Box::new(of_archive(error)));
        Some(self.batches.next()?.map_err(external))
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

#[pymethods]
impl Training {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The number of games that meet the conditions and have no row, because they have none of the half-moves, or other rules: chess
    /// if a variant of Makruk is named, else Makruk.
    #[getter]
    fn skipped(&self, py: Python<'_>) -> PyResult<u64> {
        work::on(py, &self.archive, |archive| archive.training_skipped(&self.filter, &self.options))
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<TrainingIterator> {
        let stop = Stop::default();
        let batches = interruptible(py, || self.begin(&stop), || stop.now())??;
        let parameters = Parameters {
            version: self.archive.version(),
            games: batches.games(),
            selection: batches.digest(),
            form: self.options.form,
            shuffle: self.options.seed,
            shuffle_games: self.options.window_games.get(),
            shard: self.shard,
            ply: self.options.plies.to_string(),
        };
        Ok(TrainingIterator { batches: Mutex::new(batches), stop, parameters })
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        self.source().stream(py)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::give_schema(py, &self.schema)
    }

    fn __repr__(&self) -> String {
        format!("<Training of {}>", self.column_names().join(", "))
    }
}

/// The parameters of an iteration, which a state to resume from must share.
struct Parameters {
    version: u64,
    games: u64,
    /// The digest of the ids of the games.
    selection: u64,
    form: PositionForm,
    shuffle: Option<u64>,
    shuffle_games: u64,
    shard: (u64, u64),
    ply: String,
}

impl Parameters {
    /// Each difference from others: what these have, and what was expected.
    fn differences(&self, others: &Self) -> Vec<String> {
        let seed = |seed: Option<u64>| seed.map_or_else(|| "None".to_owned(), |it| it.to_string());
        let form = |form| format!("form={}", name_of(form));
        let shuffle = |it: &Self| format!("shuffle={}", seed(it.shuffle));
        let window = |it: &Self| format!("shuffle_games={}", it.shuffle_games);
        let shard = |it: &Self| format!("shard={:?}", it.shard);
        let ply = |it: &Self| format!("ply={}", it.ply);
        let version = |it: &Self| format!("version {} of the archive", it.version);
        let games = |it: &Self| format!("{} games", it.games);
        let mut differences: Vec<String> = [
            (version(self), version(others)),
            (form(self.form), form(others.form)),
            (shuffle(self), shuffle(others)),
            (window(self), window(others)),
            (shard(self), shard(others)),
            (ply(self), ply(others)),
            (games(self), games(others)),
        ]
        .into_iter()
        .filter(|(found, expected)| found != expected)
        .map(|(found, expected)| format!("{found}, expected {expected}"))
        .collect();
        if self.version != others.version {
            let at = format!("at_version({}) opens that version", self.version);
            differences.push(at);
        } else if self.games == others.games && self.selection != others.selection {
            differences.push("conditions that select other games".to_owned());
        }
        differences
    }
}

/// The name of a form, as the argument `form` has it.
fn name_of(form: PositionForm) -> &'static str {
    match form {
        PositionForm::Planes => "planes",
        _ => "packed",
    }
}

/// An iteration over positions for training. `state` is where it stands: a dict for the argument `resume` of `to_training`.
///
/// >>> import halfmove
/// >>> batches = iter(halfmove.open(folder).to_training(batch_size=4))
/// >>> len(next(batches)), batches.state["row"]
/// (4, 4)
#[pyclass(module = "halfmove", frozen)]
pub(crate) struct TrainingIterator {
    batches: Mutex<TrainingBatches>,
    stop: Stop,
    parameters: Parameters,
}

#[pymethods]
impl TrainingIterator {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Rows>> {
        let mut batches = self.batches.lock_py_attached(py).unwrap_or_else(|it| it.into_inner());
        let batches = &mut *batches;
        let next = interruptible(py, || batches.next(), || self.stop.now())?;
        let schema = batches.schema().clone();
        Ok(next.transpose().map_err(of_archive)?.map(|batch| Rows::new(schema, vec![batch])))
    }

    /// Where the iteration stands, as a dict of numbers and texts, which JSON can hold.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let batches = self.batches.lock_py_attached(py).unwrap_or_else(|it| it.into_inner());
        let place = batches.place();
        let state = PyDict::new(py);
        state.set_item("version", self.parameters.version)?;
        state.set_item("games", self.parameters.games)?;
        state.set_item("selection", self.parameters.selection)?;
        state.set_item("form", name_of(self.parameters.form))?;
        state.set_item("shuffle", self.parameters.shuffle)?;
        state.set_item("shuffle_games", self.parameters.shuffle_games)?;
        state.set_item("shard", self.parameters.shard)?;
        state.set_item("ply", &self.parameters.ply)?;
        state.set_item("window", place.window)?;
        state.set_item("row", place.row)?;
        Ok(state)
    }
}

/// The place in a state, which must belong to these parameters.
fn place_of(state: &Bound<'_, PyDict>, given: &Parameters) -> PyResult<TrainingCursor> {
    fn item<'py, T: for<'a> FromPyObject<'a, 'py>>(
        state: &Bound<'py, PyDict>,
        name: &str,
    ) -> PyResult<T> {
        let value = state.get_item(name)?.and_then(|value| value.extract::<T>().ok());
        value.ok_or_else(|| {
            PyValueError::new_err(format!(
                "resume: no valid {name}, expected the state of an iteration"
            ))
        })
    }
    let form: String = item(state, "form")?;
    // JSON has no tuples.
    let [number, of] = item(state, "shard")?;
    let of_state = Parameters {
        version: item(state, "version")?,
        games: item(state, "games")?,
        selection: item(state, "selection")?,
        form: form_of(&form)?,
        shuffle: item(state, "shuffle")?,
        shuffle_games: item(state, "shuffle_games")?,
        shard: (number, of),
        ply: item(state, "ply")?,
    };
    let place = TrainingCursor { window: item(state, "window")?, row: item(state, "row")? };
    let differences = of_state.differences(given);
    match differences.is_empty() {
        true => Ok(place),
        false => Err(PyValueError::new_err(format!(
            "resume: the state is of another iteration: {}",
            differences.join("; ")
        ))),
    }
}

/// The form with a name.
fn form_of(name: &str) -> PyResult<PositionForm> {
    match name {
        "packed" => Ok(PositionForm::Packed),
        "planes" => Ok(PositionForm::Planes),
        _ => Err(PyValueError::new_err(format!("form=\"{name}\": expected packed or planes"))),
    }
}

#[pymethods]
impl PyArchive {
    /// The positions of the games that meet conditions, each with the move that was played in it and with the result for the side
    /// to move, as batches of `batch_size` rows for training.
    ///
    /// `form` is `packed` (32 bytes a position) or `planes` (12 bitboards). With a number as `shuffle`, the order is random, and the same
    /// for the same number: blocks of up to 1,024 games are shuffled, and then the rows of `shuffle_games` games at a time, which are in
    /// memory together. `shard=(0, 4)` is the first of four disjoint shares of one size. `resume` is the `state` of an earlier iteration, which goes
    /// on with the row after its last batch. `ply` chooses half-moves by their numbers, as in `positions`. Games of Makruk need `variant`; else the
    /// games are those of chess and Chess960; `skipped` counts the games without a row.
    ///
    /// >>> import halfmove
    /// >>> training = halfmove.open(folder).to_training(shuffle=7, player="morphy")
    /// >>> batch = next(iter(training))
    /// >>> row = sorted(batch, key=lambda row: (row["id"], row["ply"]))[1]
    /// >>> halfmove.Board.unpack(row["position"]).fen()
    /// 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
    /// >>> halfmove.square_name(row["from_square"]), halfmove.square_name(row["to_square"]), row["result"]
    /// ('e7', 'e5', -1)
    #[pyo3(
        signature = (*, form="packed", batch_size=8192, shuffle=None, shuffle_games=16384, shard=(0, 1), resume=None, ply=None, **conditions),
        // Without this, the default of `shard` would be `...`.
        text_signature = "(self, /, *, form=\"packed\", batch_size=8192, shuffle=None, shuffle_games=16384, shard=(0, 1), \
                          resume=None, ply=None, **conditions)"
    )]
    #[allow(clippy::too_many_arguments, reason = "they are keyword arguments")]
    fn to_training(
        &self,
        py: Python<'_>,
        form: &str,
        batch_size: usize,
        shuffle: Option<u64>,
        shuffle_games: u64,
        shard: (u64, u64),
        resume: Option<&Bound<'_, PyDict>>,
        ply: Option<&Bound<'_, PyAny>>,
        conditions: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Training> {
        let wrong = |text: String| PyValueError::new_err(text);
        let archive = self.now();
        let filter = filter_of(py, &archive, conditions)?;
        let mut options = TrainingOptions::default();
        options.form = form_of(form)?;
        options.batch_rows = NonZero::new(batch_size)
            .ok_or_else(|| wrong("batch_size=0: expected at least 1".to_owned()))?;
        options.window_games = NonZero::new(shuffle_games)
            .ok_or_else(|| wrong("shuffle_games=0: expected at least 1".to_owned()))?;
        options.seed = shuffle;
        options.plies = plies_of(ply)?;
        options.shard = Shard::new(shard.0, shard.1).ok_or_else(|| {
            wrong(format!("shard={shard:?}: expected a number from 0, and how many there are"))
        })?;
        if let Some(state) = resume {
            let ids = crate::work::on(py, &archive, |archive| archive.ids(&filter))?;
            let given = Parameters {
                version: archive.version(),
                games: ids.len(),
                selection: TrainingBatches::digest_of(&ids),
                form: options.form,
                shuffle,
                shuffle_games,
                shard,
                ply: options.plies.to_string(),
            };
            options.from = place_of(state, &given)?;
        }
        let rules = halfmove_archive::training::TrainingRules::of(filter.variant);
        let training = halfmove_archive::training::Training::new(options.form, rules);
        let schema = training.schema().clone();
        Ok(Training { archive, filter, options, shard, schema })
    }
}
