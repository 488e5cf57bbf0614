//! Columns that a file has under their earlier names.

use std::sync::Arc;

use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr_adapter::{
    DefaultPhysicalExprAdapterFactory, PhysicalExprAdapter, PhysicalExprAdapterFactory,
};
use halfmove_archive::schema::EARLIER_NAMES;

/// Makes expressions on the columns of the table expressions on those of a file, where columns that it lacks are null.
#[derive(Debug)]
pub(super) struct EarlierNames;

impl PhysicalExprAdapterFactory for EarlierNames {
    fn create(&self, table: SchemaRef, file: SchemaRef) -> Result<Arc<dyn PhysicalExprAdapter>> {
        let present = |name: &str| {
            let (_, present) = EARLIER_NAMES.iter().find(|(earlier, _)| *earlier == name)?;
            file.column_with_name(present).is_none().then_some(*present)
        };
        if file.fields().iter().all(|field| present(field.name()).is_none()) {
            return DefaultPhysicalExprAdapterFactory.create(table, file);
        }
        let fields = file.fields().iter().map(|field| match present(field.name()) {
            Some(name) => Arc::new(field.as_ref().clone().with_name(name)),
            None => Arc::clone(field),
        });
        let schema = Schema::new_with_metadata(fields.collect::<Vec<_>>(), file.metadata().clone());
        let inner = DefaultPhysicalExprAdapterFactory.create(table, Arc::new(schema))?;
        Ok(Arc::new(Renamed { inner, file }))
    }
}

/// The same for a file with earlier names.
#[derive(Debug)]
struct Renamed {
    /// The adapter to a file with the present names.
    inner: Arc<dyn PhysicalExprAdapter>,
    file: SchemaRef,
}

impl PhysicalExprAdapter for Renamed {
    fn rewrite(&self, expr: Arc<dyn PhysicalExpr>) -> Result<Arc<dyn PhysicalExpr>> {
        let rename = |expr: Arc<dyn PhysicalExpr>| {
            let Some(column) = expr.downcast_ref::<Column>() else {
                return Ok(Transformed::no(expr));
            };
            let name = self.file.field(column.index()).name();
            let renamed = Column::new(name, column.index());
            Ok(Transformed::yes(Arc::new(renamed) as Arc<dyn PhysicalExpr>))
        };
        self.inner.rewrite(expr)?.transform(rename).data()
    }
}
