import type { DirectoryProblem, DescribedPerson } from './directory-change';

/** A custom profile field that a directory fills. */
export interface FilledField {
  readonly id: number;
  /** The kinds whose values are not just any text. `people` cannot be filled. */
  readonly kind: 'text' | 'link' | 'choice' | 'date' | 'people';
  /** Longest text, in characters. */
  readonly maxLength: number;
  /** Values and texts of a field with choices. */
  readonly choices: readonly { readonly value: string; readonly text: string }[];
}

/** A person as the organization can show them. */
interface Fitting {
  readonly person: DescribedPerson;
  readonly problems: readonly DirectoryProblem[];
}

const GENERALIZED_TIME = /^(\d{4})(\d{2})(\d{2})(?:\d{2}.*)?$/;

/**
 * Fits what a directory says of a person to the groups and fields that the organization has. A value that a field cannot
 * have is left out, so that the field keeps the value that it has.
 */
export function fitted(
  person: DescribedPerson,
  groups: ReadonlySet<string>,
  fields: ReadonlyMap<string, FilledField>,
): Fitting {
  const problems: DirectoryProblem[] = [];
  const profile = new Map<string, string>();
  for (const [name, text] of person.profile) {
    const field = fields.get(name);
    if (!field) continue;
    const value = valueOf(field, text);
    if (value === null) problems.push({ about: person.dn, reason: `the field ${name} cannot have its value` });
    else profile.set(name, value);
  }
  const userGroups = new Set([...person.userGroups].filter((name) => groups.has(name)));
  return { person: { ...person, userGroups, profile }, problems };
}

/** @returns null for a value that the field cannot have */
function valueOf({ kind, maxLength, choices }: FilledField, text: string): string | null {
  if (text === '') return '';
  switch (kind) {
    case 'text':
      return [...text].slice(0, maxLength).join('').trim();
    case 'link':
      return text;
    case 'date':
      return text.replace(GENERALIZED_TIME, '$1-$2-$3');
    case 'choice': {
      const wanted = text.toLowerCase();
      const choice = choices.find((one) => [one.value, one.text].some((name) => name.toLowerCase() === wanted));
      return choice?.value ?? null;
    }
    case 'people':
      return null;
  }
}
