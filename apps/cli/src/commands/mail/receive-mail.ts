import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { CannotStart } from '@annals/embedded';
import type { LmtpOptions } from '@annals/incoming-mail';
import { lmtpOf } from '../../../../shared/src/mail/mail-options';
import { readSettings } from '../../../../shared/src/settings';

/** Codes of sysexits.h, which mail servers know. */
const EXIT = { ok: 0, usage: 64, data: 65, noUser: 67, noPermission: 77, tryAgain: 75 } as const;
/** Answers of LMTP that mean more than "no". */
const FINAL: Readonly<Record<number, number>> = { 550: EXIT.noUser, 552: EXIT.data, 554: EXIT.data };

interface LmtpFailure {
  readonly responseCode?: number;
  readonly response?: string;
}

/**
 * `annals receive-mail`: hands one mail from standard input to a worker, for mail servers that start a program for each mail.
 *
 * @param env with the settings that say where a worker takes mail
 * @param mail.to the address that the mail is for
 * @returns a code of sysexits.h: of 75 the mail server tries again
 */
export async function receiveMail(
  env: NodeJS.ProcessEnv,
  { to, from, input }: { readonly to: string; readonly from: string; readonly input: Readable },
  print: (line: string) => void,
): Promise<number> {
  if (!/^[^\s<>@]+@[^\s<>@]+$/.test(to)) {
    print('Give the address that the mail is for with --to, or in RECIPIENT or ORIGINAL_RECIPIENT.');
    return EXIT.usage;
  }
  const raw = await buffer(input);
  try {
    await deliver(placeIn(env), { from, to }, raw);
    return EXIT.ok;
  } catch (error) {
    const { responseCode, response } = error as LmtpFailure;
    print(response ?? (error as Error).message);
    if (responseCode === undefined || responseCode < 500) return EXIT.tryAgain;
    const isRefused = responseCode === 550 && !/ 5\.1\./.test(response ?? '');
    return isRefused ? EXIT.noPermission : (FINAL[responseCode] ?? EXIT.noPermission);
  }
}

/** Where a worker takes mail. @throws CannotStart for wrong settings */
function placeIn(env: NodeJS.ProcessEnv): LmtpOptions {
  const place = lmtpOf(readSettings(env));
  if (place === null) throw new CannotStart('ANNALS_LMTP_PORT must be set, so that a worker takes mail.');
  return place;
}

/** @throws Error with the answer of the worker */
async function deliver(
  { host, port }: LmtpOptions,
  envelope: { readonly from: string; readonly to: string },
  raw: Buffer,
): Promise<void> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const connection = new Connection({ host, port, lmtp: true, ignoreTLS: true, name: 'localhost' });
  try {
    await new Promise<void>((resolve, reject) => {
      connection.on('error', reject);
      connection.connect((problem) => (problem ? reject(problem) : resolve()));
    });
    await new Promise<void>((resolve, reject) => {
      connection.on('error', reject);
      connection.send({ from: envelope.from || false, to: envelope.to }, raw, (problem, sent) => {
        const failure = problem ?? sent?.rejectedErrors?.[0];
        if (failure) reject(failure);
        else resolve();
      });
    });
  } finally {
    connection.close();
  }
}
