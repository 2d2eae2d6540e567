import zulip from 'zulip-js';

/** A bot as its author would write it: it answers every direct message by repeating it. Arguments: address, email, key. */
const [realm = '', username = '', apiKey = ''] = process.argv.slice(2);

interface Message {
  readonly type: string;
  readonly content: string;
  readonly sender_email: string;
}

async function main(): Promise<void> {
  const client = await zulip({ realm, username, apiKey });
  const answer = async (event: zulip.Answer) => {
    if (event['type'] !== 'message') return;
    const { type, content, sender_email } = event['message'] as Message;
    if (type !== 'private' || sender_email === username) return;
    await client.messages.send({ type: 'private', to: [sender_email], content: `You said: ${content}` });
  };
  await client.callOnEachEvent((event) => void answer(event));
}

void main();
