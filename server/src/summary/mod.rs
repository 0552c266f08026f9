//! Summaries of memories: extracted sentences or, where one is configured, the text of a language model.

mod model;

use orgmem_recall::extractive_summary;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;

use crate::config::SummarySettings;
use model::SummaryModel;

/// Characters of an extracted summary.
const EXTRACT_CHARS: usize = 600;

/// Makes summaries. Cheap to clone; all clones count together.
#[derive(Clone)]
pub(crate) struct Summarizer {
    model: Option<SummaryModel>,
    made: Family<SummaryLabels, Counter>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct SummaryLabels {
    made_by: &'static str,
    /// The error of the language model that should have made it.
    error_type: Option<&'static str>,
}

pub(crate) struct Summary {
    pub(crate) text: String,
    /// `None` where the server made it.
    pub(crate) model: Option<String>,
    /// The error of the configured language model.
    pub(crate) fell_back: Option<String>,
}

impl Summarizer {
    pub(crate) fn new(settings: &SummarySettings) -> Self {
        Self { model: settings.model.as_ref().map(SummaryModel::new), made: Family::default() }
    }

    pub(crate) fn family(&self) -> Family<SummaryLabels, Counter> {
        self.made.clone()
    }

    /// Summarises texts, each with its confidence, the newest first. Where the language model fails, the server extracts
    /// a summary, which includes the error.
    pub(crate) async fn summarize(&self, texts: &[(f64, String)]) -> Summary {
        let own =
            || extractive_summary(texts.iter().map(|(confidence, text)| (*confidence, text.as_str())), EXTRACT_CHARS);
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
                tracing::warn!(%error, "the language model failed, so the server made the summary");
                self.count("extractive", Some(error.kind()));
                Summary { text: own(), model: None, fell_back: Some(error.describe()) }
            }
        }
    }

    fn count(&self, made_by: &'static str, error_type: Option<&'static str>) {
        self.made.get_or_create(&SummaryLabels { made_by, error_type }).inc();
    }
}
