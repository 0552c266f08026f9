DROP TABLE skill_rules;
DROP TABLE skill_sources;
DROP TABLE skill_versions;
DROP TABLE skills;
