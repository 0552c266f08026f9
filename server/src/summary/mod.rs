//! What many memories say, in short: their own sentences or, where one is configured, a language model's.

mod model;

use orgmem_recall::extractive_summary;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;

use crate::config::SummarySettings;
use model::SummaryModel;

/// Characters of a summary.
const MOST: usize = 600;

/// Makes summaries. Cheap to clone; all clones count together.
#[derive(Clone)]
pub(crate) struct Summarizer {
    model: Option<SummaryModel>,
    made: Family<SummaryLabels, Counter>,
}

/// How a summary came about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct SummaryLabels {
    made_by: &'static str,
    /// Why the language model did not make it, where it should have.
    error_type: Option<&'static str>,
}

/// A summary, and who made it.
pub(crate) struct Summary {
    pub(crate) text: String,
    /// The language model; none where the server made it.
    pub(crate) model: Option<String>,
    /// Why the language model that is configured did not make it.
    pub(crate) fell_back: Option<String>,
}

impl Summarizer {
    /// One for these settings.
    pub(crate) fn new(settings: &SummarySettings) -> Self {
        Self { model: settings.model.as_ref().map(SummaryModel::new), made: Family::default() }
    }

    /// How summaries came about, counted.
    pub(crate) fn family(&self) -> Family<SummaryLabels, Counter> {
        self.made.clone()
    }

    /// What `texts` say, each with its confidence, the newest first. Nothing is asked of a language model where there is
    /// nothing to sum up. One that fails is stood in for, and the summary says so.
    pub(crate) async fn summarize(&self, texts: &[(f64, String)]) -> Summary {
        let own = || extractive_summary(texts.iter().map(|(confidence, text)| (*confidence, text.as_str())), MOST);
        let Some(model) = self.model.as_ref().filter(|_| !texts.is_empty()) else {
            self.count("extractive", None);
            return Summary { text: own(), model: None, fell_back: None };
        };
        match model.summarize(texts).await {
            Ok(text) => {
                self.count("model", None);
                Summary { text, model: Some(model.name().to_owned()), fell_back: None }
            }
            Err(error) => {
                tracing::warn!(%error, "the language model made no summary; the server made one itself");
                self.count("extractive", Some(error.kind()));
                Summary { text: own(), model: None, fell_back: Some(error.describe()) }
            }
        }
    }

    fn count(&self, made_by: &'static str, error_type: Option<&'static str>) {
        self.made.get_or_create(&SummaryLabels { made_by, error_type }).inc();
    }
}
