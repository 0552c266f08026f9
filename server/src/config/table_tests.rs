use std::time::Duration;

use super::tests::{check_file, load, load_file};

#[test]
fn named_table_is_declared_by_a_file_or_by_variables() {
    let file =
        "[sources.shop_1]\nurl = \"https://shop.example/{entity}\"\nentities = \"sku-.*\"\nfields = [\"price=/p\"]\n";
    let [source] = &load_file(file).expect("right").settings.record_sources[..] else { panic!("one source") };
    assert_eq!((source.name.as_str(), source.outbound.timeout), ("shop_1", Duration::from_secs(2)));
    assert!(source.entities.is_match("sku-1") && !source.entities.is_match("a sku-1"));
    let variables = [
        ("ORGMEM_SOURCES_SHOP_URL", "http://10.0.0.5/{entity}"),
        ("ORGMEM_SOURCES_SHOP_PRIVATE_HOST", "10.0.0.5"),
        ("ORGMEM_SOURCES_SHOP_ENTITIES", "sku|ean"),
        ("ORGMEM_SOURCES_SHOP_FIELDS", "price=/p, stock=/s"),
        ("ORGMEM_SOURCES_SHOP_HEADER", "Authorization"),
        ("ORGMEM_SOURCES_SHOP_HEADER_VALUE", "Bearer hunter2"),
    ];
    let config = load(&variables).expect("right");
    let [source] = &config.settings.record_sources[..] else { panic!("one source") };
    assert!(source.outbound.is_private && source.fields.len() == 2 && source.outbound.header.is_some());
    assert!(!format!("{config:?} {:?}", config.settings).contains("hunter2"));
    let with = |name: &'static str, value: &'static str| {
        let changed = variables.iter().filter(|(other, _)| *other != name).copied().chain([(name, value)]);
        load(&changed.collect::<Vec<_>>()).expect_err("the start must stop").to_string()
    };
    for (name, value, setting) in [
        ("ORGMEM_SOURCES_SHOP_URL", "http://10.0.0.6/{entity}", "sources.shop.private_host"),
        ("ORGMEM_SOURCES_SHOP_URL", "http://{entity}/", "sources.shop.url"),
        ("ORGMEM_SOURCES_SHOP_URL", "http://10.0.0.5/", "sources.shop.url"),
        ("ORGMEM_SOURCES_SHOP_PRIVATE_HOST", "", "sources.shop.url"),
        ("ORGMEM_SOURCES_SHOP_ENTITIES", "(", "sources.shop.entities"),
        ("ORGMEM_SOURCES_SHOP_FIELDS", "", "sources.shop.fields"),
        ("ORGMEM_SOURCES_SHOP_UNITS", "weight=/w", "sources.shop.units"),
        ("ORGMEM_SOURCES_SHOP_HEADER_FILE", "/run/key", "sources.shop.header"),
    ] {
        let line = with(name, value);
        assert!(line.starts_with(&format!("`{setting}` (")), "{name} {value}: {line}");
    }
    check_file(
        "[sources.Shop]\nurl = \"x\"",
        "`sources.Shop.url` (./orgmem.toml, line 2) is not a setting; the nearest is `store.pooler_url`",
    );
    assert!(load(&[("ORGMEM_SOURCES_SHOP_COLOUR", "red")]).is_err());
}

#[test]
fn provider_shadows_open_surfaces_only() {
    let file =
        "[providers.acme]\nurl = \"https://memory.example/\"\nsurfaces = [\"phone\"]\ntoken = \"hunter2-token\"\n";
    let config = load_file(file).expect("right");
    let [provider] = &config.settings.providers.providers[..] else { panic!("one provider") };
    assert_eq!((provider.url.as_str(), provider.thresholds.min_agreement), ("https://memory.example", 0.8));
    assert!(!format!("{config:?} {:?}", config.settings).contains("hunter2"));
    let variables = [
        ("ORGMEM_PROVIDERS_ACME_URL", "http://10.0.0.5:9100"),
        ("ORGMEM_PROVIDERS_ACME_PRIVATE_HOST", "10.0.0.5"),
        ("ORGMEM_PROVIDERS_ACME_SURFACES", "phone"),
        ("ORGMEM_SURFACES_WITHOUT_PROVIDER", "pos"),
    ];
    assert!(load(&variables).expect("right").settings.providers.providers[0].outbound.is_private);
    for (name, value, setting) in [
        ("ORGMEM_PROVIDERS_ACME_SURFACES", "phone, Money", "providers.acme.surfaces"),
        ("ORGMEM_PROVIDERS_ACME_SURFACES", "POS", "providers.acme.surfaces"),
        ("ORGMEM_PROVIDERS_ACME_PRIVATE_HOST", "", "providers.acme.url"),
        ("ORGMEM_PROVIDERS_ACME_URL", "http://10.0.0.5/?a=b", "providers.acme.url"),
    ] {
        let changed = variables.iter().filter(|(other, _)| *other != name).copied().chain([(name, value)]);
        let line = load(&changed.collect::<Vec<_>>()).expect_err("the start must stop").to_string();
        assert!(line.starts_with(&format!("`{setting}` (")), "{name} {value}: {line}");
    }
}
