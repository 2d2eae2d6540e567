/** Users as a request names them: by ids or by email addresses. */
export type NamedPeople = readonly number[] | readonly string[];
