import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestFolder } from '../server/test-folder';
import { createTestFolder } from '../server/test-folder';

/** A file of providers, for a server that is about to start. */
export class SignOnTestFile {
  private constructor(
    private readonly folder: TestFolder,
    /** The settings of the server. */
    readonly env: Readonly<Record<string, string>>,
  ) {}

  static async of(content: unknown, more: Readonly<Record<string, string>> = {}): Promise<SignOnTestFile> {
    const folder = await createTestFolder();
    const path = join(folder.path, 'sign-on.json');
    writeFileSync(path, JSON.stringify(content));
    return new SignOnTestFile(folder, { ANNALS_SIGN_ON_FILE: path, ...more });
  }

  drop(): Promise<void> {
    return this.folder.drop();
  }
}
