// Keeps a search index of the messages that an account may read: the words of each message, by its id.
//   node indexer.mjs          follows the feed until it is stopped
//   node indexer.mjs once     ends when there is nothing new
//   node indexer.mjs find X   prints the ids of the messages with a word
import { readFile, rename, writeFile } from 'node:fs/promises';

const { ANNALS_URL, ANNALS_EMAIL, ANNALS_KEY, INDEX = 'index.json' } = process.env;
const [, , command = 'follow', word = ''] = process.argv;
const index = JSON.parse(await readFile(INDEX, 'utf8').catch(() => '{}'));

async function call(method, path, fields = {}) {
  const url = new URL(`/api/v1/feed/consumers${path}`, ANNALS_URL);
  const init = { method, headers: { authorization: `Basic ${btoa(`${ANNALS_EMAIL}:${ANNALS_KEY}`)}` } };
  if (method === 'GET') url.search = new URLSearchParams(fields);
  else init.body = new URLSearchParams(fields);
  const answer = await (await fetch(url, init)).json();
  if (answer.result === 'error' && answer.code !== 'CONSUMER_EXISTS') throw new Error(answer.msg);
  return answer;
}

// The same event may come twice. Each of these does the same again.
const handlers = {
  message: ({ message }) => (index[message.id] = [...new Set(message.content.toLowerCase().match(/\p{L}+/gu))]),
  update_message: ({ message_id, content }) => content && handlers.message({ message: { id: message_id, content } }),
  delete_message: ({ message_id, message_ids = [message_id] }) => message_ids.forEach((id) => delete index[id]),
};

if (command === 'find') {
  console.log(
    Object.keys(index)
      .filter((id) => index[id].includes(word.toLowerCase()))
      .join('\n'),
  );
} else {
  const types = JSON.stringify(Object.keys(handlers));
  await call('POST', '', { name: 'indexer', view: 'client', types, from: 'beginning' });
  for (;;) {
    const { events, cursor, head } = await call('GET', '/indexer/events', {
      limit: 1000,
      wait: command === 'once' ? 0 : 60,
    });
    for (const { data } of events) handlers[data.type](data);
    await writeFile(`${INDEX}.new`, JSON.stringify(index));
    await rename(`${INDEX}.new`, INDEX);
    if (events.length > 0) await call('POST', '/indexer/ack', { through: cursor });
    else if (command === 'once' && cursor.startsWith(`${cursor.split('/')[0]}/${head}`)) break;
  }
}
