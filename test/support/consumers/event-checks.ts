import Ajv2020 from 'ajv/dist/2020';
import type { ValidateFunction } from 'ajv/dist/2020';
import type { CloudEventV1 } from 'cloudevents';
import { HTTP } from 'cloudevents';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';

/** What programs of others say about the events of the feed: the SDK of CloudEvents, and a validator of JSON Schema. */
export class EventChecks {
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  private readonly known = new Map<string, ValidateFunction>();

  constructor(private readonly caller: Person) {}

  /** All events of a new consumer from the beginning, as the SDK reads batches of them. Each of them is checked. */
  async all(name: string, wanted: Record<string, unknown>): Promise<readonly CloudEventV1<unknown>[]> {
    granted(await this.caller.post('/feed/consumers', { name, from: 'beginning', ...wanted }));
    const all: CloudEventV1<unknown>[] = [];
    for (;;) {
      const batch = await this.batch(name);
      for (const event of batch) await this.check(event);
      all.push(...batch);
      const last = batch.at(-1);
      if (!last) return all;
      granted(await this.caller.post(`/feed/consumers/${name}/ack`, { through: last.id }));
    }
  }

  /** The errors of an event whose data does not fit its schema. */
  async check({ id, type, dataschema, data }: CloudEventV1<unknown>): Promise<void> {
    const validate = await this.validatorOf(dataschema ?? '');
    if (!validate(data)) throw new Error(`${id} ${type}: ${this.ajv.errorsText(validate.errors)}`);
  }

  private async batch(name: string): Promise<readonly CloudEventV1<unknown>[]> {
    const accept = 'application/cloudevents-batch+json';
    const answer = await this.caller.raw(`/feed/consumers/${name}/events?limit=1000`, { headers: { accept } });
    const headers = { 'content-type': accept };
    const read = HTTP.toEvent<unknown>({ headers, body: await answer.text() });
    return Array.isArray(read) ? read : [read];
  }

  private async validatorOf(dataschema: string): Promise<ValidateFunction> {
    const known = this.known.get(dataschema);
    if (known) return known;
    const answer = await this.caller.raw(dataschema.replace(/^.*\/api\/v1/, ''));
    if (answer.status !== 200) throw new Error(`${dataschema} is answered with ${answer.status}`);
    const validate = this.ajv.compile((await answer.json()) as object);
    this.known.set(dataschema, validate);
    return validate;
  }
}
