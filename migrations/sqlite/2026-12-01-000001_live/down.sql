DROP TABLE rounds;
DROP TABLE commands;
