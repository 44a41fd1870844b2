DROP TABLE halls;
