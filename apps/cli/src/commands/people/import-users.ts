import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { ROLES, Role, t } from '@annals/kernel/domain';
import type { ImportedPerson } from '@annals/onboarding';
import { importUsers } from '@annals/onboarding';
import { Value } from '@sinclair/typebox/value';
import { isEmail } from 'class-validator';

const line = t.Object(
  {
    email: t.String(),
    full_name: t.String(),
    role: t.Optional(t.Unsafe<Role>(t.Union(ROLES.map((role) => t.Literal(role))))),
    password: t.Optional(t.String()),
  },
  { additionalProperties: false },
);

/**
 * `annals import-users`: creates accounts for users of another server, one JSON object a line. If a line cannot be read
 * nobody is imported. A user who is refused is listed with the reason, and the others have their accounts.
 *
 * @param file left out: standard input
 * @returns 0, or 1 when a user was refused
 * @throws Error with the first line that cannot be read
 */
export async function importPeople(
  kernel: Kernel,
  to: { readonly realmId: RealmId; readonly url: string },
  file: string | undefined,
  print: (line: string) => void,
): Promise<number> {
  const people = readPeople(file === undefined ? await text(process.stdin) : await readFile(file, 'utf8'));
  let refused = 0;
  for await (const one of importUsers(kernel, to, people)) {
    if ('refusal' in one) refused += 1;
    print('refusal' in one ? `${one.person.email}: ${one.refusal}` : `${one.person.email}: account ${one.userId}`);
  }
  return refused === 0 ? 0 : 1;
}

/** Lines without anything in them do not count as people. */
function readPeople(lines: string): ImportedPerson[] {
  return lines.split('\n').flatMap((one, index) => (one.trim() === '' ? [] : [readPerson(one, index + 1)]));
}

function readPerson(json: string, number: number): ImportedPerson {
  const said = parsed(json);
  if (!Value.Check(line, said)) {
    throw new Error(`line ${number} is not a JSON object with email, full_name and optionally role and password`);
  }
  const email = said.email.trim();
  if (!isEmail(email)) throw new Error(`line ${number} has no email address in email`);
  if (!said.full_name.isWellFormed()) throw new Error(`line ${number} has a full_name with invalid characters`);
  return { email, fullName: said.full_name, role: said.role ?? Role.member, password: said.password };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
