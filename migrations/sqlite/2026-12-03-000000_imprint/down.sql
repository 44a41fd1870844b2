DROP TABLE unknown_names;
DROP TABLE imprint;
