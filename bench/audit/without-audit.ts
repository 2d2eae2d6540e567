/** The variable that switches off what makes the log auditable. The server itself has no such setting. */
export const WITHOUT_AUDIT = 'BENCH_WITHOUT_AUDIT';
