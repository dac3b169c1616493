module gatehouse-example

go 1.19
