import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { CannotStart, reasonOf } from '@annals/embedded';

/** What is wrong in the file, in one sentence without a secret. @param where the place, for example `/saml/okta` */
export const mistake = (where: string, what: string): CannotStart =>
  new CannotStart(`ANNALS_SIGN_ON_FILE${where === '' ? '' : `, ${where}`}: ${what}.`);

/** Reads files that the file names. A relative name is of the folder of the file. */
export class NamedFiles {
  constructor(private readonly folder: string) {}

  /** @throws CannotStart when it cannot be read, or is empty */
  read(name: string, where: string): string {
    let content: string;
    try {
      content = readFileSync(isAbsolute(name) ? name : join(this.folder, name), 'utf8');
    } catch (error) {
      throw mistake(where, `${name} cannot be read (${reasonOf(error)})`);
    }
    if (content.trim() === '') throw mistake(where, `${name} is empty`);
    return content;
  }

  /**
   * A secret that the file has, or that it names a file of. A line break at the end of a file does not belong to it.
   *
   * @throws CannotStart unless exactly one of both is given
   */
  secret(
    value: string | undefined,
    file: string | undefined,
    { where, name }: { readonly where: string; readonly name: string },
  ): string {
    if ((value === undefined) === (file === undefined)) {
      throw mistake(where, `it needs either ${name} or ${name}_file`);
    }
    return value ?? this.read(file ?? '', where).replace(/\r?\n$/, '');
  }
}
