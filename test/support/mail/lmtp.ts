import SMTPConnection from 'nodemailer/lib/smtp-connection';

/** A mail as a person or a program writes it. */
export interface WrittenMail {
  readonly from?: string;
  readonly subject?: string;
  readonly text?: string;
  readonly messageId?: string;
  /** More lines of the head. */
  readonly head?: readonly string[];
}

let count = 0;

/** The bytes of a mail. */
export function written({
  from = 'ann@example.org',
  subject = 'Hello',
  text = 'Hi!',
  messageId,
  head = [],
}: WrittenMail) {
  const id = messageId ?? `<${(count += 1)}@example.org>`;
  const lines = [`From: ${from}`, `Subject: ${subject}`, `Message-ID: ${id}`, ...head, '', text];
  return lines.join('\r\n').replace(/\r?\n/g, '\r\n');
}

interface Failure {
  readonly response?: string;
  readonly message: string;
}

/** Delivers a mail as the mail server of an operator does. @returns the answer for each address */
export async function deliver(port: number, to: readonly string[], raw: string): Promise<readonly string[]> {
  const connection = new SMTPConnection({ host: '127.0.0.1', port, lmtp: true, ignoreTLS: true });
  try {
    await new Promise<void>((resolve, reject) => {
      connection.on('error', reject);
      connection.connect((error) => (error ? reject(error) : resolve()));
    });
    return await new Promise((resolve) => {
      connection.send({ from: 'bounces@example.org', to: [...to] }, raw, (error, sent) => {
        const failures = (error as { rejectedErrors?: Failure[] } | null)?.rejectedErrors ?? sent?.rejectedErrors ?? [];
        const told = failures.map(({ response, message }) => response ?? message);
        if (error && told.length === 0) told.push((error as Failure).response ?? error.message);
        resolve(error ? told : [...(sent?.accepted ?? []).map(() => '250'), ...told]);
      });
    });
  } finally {
    connection.close();
  }
}
