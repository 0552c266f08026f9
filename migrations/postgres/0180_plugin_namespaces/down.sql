DROP TABLE plugin_namespaces;
