// Forwards what concerns security to a SIEM: syslog messages (RFC 5424) over TCP, each with its length before it (RFC 6587).
//   node siem.mjs host:port          follows the feed until it is stopped
//   node siem.mjs host:port once     ends when there is nothing new
import { once } from 'node:events';
import { connect } from 'node:net';

const { ANNALS_URL, ANNALS_EMAIL, ANNALS_KEY } = process.env;
const [, , target = '127.0.0.1:514', command = 'follow'] = process.argv;
const TYPES = ['users.*', 'groups.*', 'realm.*', 'audit.*'];
/** Facility 10, security: severity 6 is a piece of information. */
const PRIORITY = 10 * 8 + 6;

async function call(method, path, fields) {
  const url = new URL(`/api/v1/feed/consumers${path}`, ANNALS_URL);
  const init = { method, headers: { authorization: `Basic ${btoa(`${ANNALS_EMAIL}:${ANNALS_KEY}`)}` } };
  if (method === 'GET') url.search = new URLSearchParams(fields);
  else init.body = new URLSearchParams(fields);
  const answer = await (await fetch(url, init)).json();
  if (answer.result === 'error' && answer.code !== 'CONSUMER_EXISTS') throw new Error(answer.msg);
  return answer;
}

const quoted = (value) => `"${String(value ?? '').replace(/["\\\]]/g, '\\$&')}"`;

function syslog({ id, type, time, subject, annalsactor, data }) {
  const elements = `[annals@32473 id=${quoted(id)} type=${quoted(type)} subject=${quoted(subject)} actor=${quoted(annalsactor)}]`;
  const message = `<${PRIORITY}>1 ${time} ${new URL(ANNALS_URL).hostname} annals - - ${elements} ${JSON.stringify(data.facts)}`;
  return `${Buffer.byteLength(message)} ${message}`;
}

const [host, port] = target.split(':');
const siem = connect(Number(port), host);
await once(siem, 'connect');
await call('POST', '', { name: 'siem', view: 'domain', types: JSON.stringify(TYPES), from: 'beginning' });
for (;;) {
  const { events, cursor, head } = await call('GET', '/siem/events', { limit: 500, wait: command === 'once' ? 0 : 60 });
  // A broken connection ends this program before it acknowledges: the next run sends the same events again.
  if (events.length > 0) {
    await new Promise((sent, failed) =>
      siem.write(events.map(syslog).join(''), (error) => (error ? failed(error) : sent())),
    );
    await call('POST', '/siem/ack', { through: cursor });
  } else if (command === 'once' && Number(cursor.split('/')[1]) >= head) break;
}
siem.end();
