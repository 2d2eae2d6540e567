import type { Message } from '../support/requests/messages';
import { changeWidget, idOf, messageSeen, send, vote } from '../support/requests/messages';
import { uploadFile } from '../support/requests/uploads';
import { granted } from '../support/server/caller';
import type { TestServer } from '../support/server/server';

/** The topic of the messages in the picture. */
export const TOPIC = { to: 'general', topic: 'orbit of the probe' };

const CALCULATION = `We need the orbital speed, @**Grace Hopper**. It follows from
$$v = \\sqrt{\\frac{G M}{r}}$$ and in Python it is

\`\`\`python
from math import sqrt

G, M = 6.674e-11, 5.972e24  # SI units

def speed(radius: float) -> float:
    """Speed of a circular orbit in m/s."""
    return sqrt(G * M / radius)

print(f"{speed(6_771_000):.0f} m/s")
\`\`\``;

const TABLE = `| Orbit | Height | Speed |
|-------|-------:|------:|
| station | 400 km | **7,673 m/s** |
| navigation | 20,200 km | 3,874 m/s |
| stationary | 35,786 km | 3,075 m/s |`;

/**
 * A conversation with code, a formula, a table, a poll, a picture and reactions.
 *
 * @param picture bytes of a PNG
 * @returns its messages as a member sees them
 */
export async function conversation(server: TestServer, picture: Uint8Array<ArrayBuffer>): Promise<Message[]> {
  const ada = await server.person({ name: 'Ada Lovelace' });
  const grace = await server.person({ name: 'Grace Hopper' });
  const calculated = await idOf(send(ada, { ...TOPIC, content: CALCULATION }));
  granted(await grace.post(`/messages/${calculated}/reactions`, { emoji_name: 'rocket' }));
  const table = await idOf(send(grace, { ...TOPIC, content: TABLE }));
  granted(await ada.post(`/messages/${table}/reactions`, { emoji_name: 'heart' }));
  const { url } = await uploadFile(ada, picture, { name: 'orbit.png', type: 'image/png' });
  const drawn = await idOf(send(ada, { ...TOPIC, content: `The three of them: [orbit.png](${url})` }));
  const poll = await idOf(send(grace, { ...TOPIC, content: '/poll Which one do we take?\nstation\nnavigation' }));
  for (const person of [ada, grace]) granted(await changeWidget(person, poll, vote('canned,1')));
  await server.makeThumbnails();
  await server.settled();
  return Promise.all([calculated, table, drawn, poll].map((id) => messageSeen(ada, id)));
}
