import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { By, Bytes, Endpoint, Info, Params, RequestInfo } from '@annals/web';
import { Controller } from '@nestjs/common';
import { ReadTrail } from '../../application/read-trail';
import { formatOf, streamHeaders, streamed } from './formats';
import { pageShape } from './shapes';
import { FilterParams, HistoryPageParams, TrailParams, recordedParameters } from './trail.params';

@Controller()
export class TrailController {
  constructor(private readonly trail: ReadTrail) {}

  /** contract/audit.md section 2.1 */
  @Endpoint('GET', 'audit/events', {
    audience: 'anyone',
    section: 'audit 2.1',
    summary: 'Events of the organization, with names as they were',
    returns: t.Object(pageShape),
  })
  events(@By() by: Actor, @Params(TrailParams) params: TrailParams) {
    return this.trail.events(by, params, params, {
      endpoint: 'GET /audit/events',
      parameters: recordedParameters(params),
    });
  }

  /** contract/audit.md section 2.4 */
  @Endpoint('GET', 'audit/me', {
    audience: 'anyone',
    section: 'audit 2.4',
    summary: 'What the own account did, and what was done to it',
    returns: t.Object(pageShape),
  })
  own(@By() by: Actor, @Params(HistoryPageParams) params: HistoryPageParams) {
    return this.trail.own(by, params, params);
  }

  /** contract/audit.md section 2.3 */
  @Endpoint('GET', 'audit/events/stream', {
    audience: 'anyone',
    section: 'audit 2.3',
    summary: 'All events that meet the conditions, as lines of JSON or as CSV',
    bytes: true,
    returns: null,
  })
  async stream(@By() by: Actor, @Params(FilterParams) params: FilterParams, @Info() info: RequestInfo) {
    const format = formatOf(info.header('accept'));
    const read = { endpoint: 'GET /audit/events/stream', parameters: recordedParameters(params) };
    const { head, pages } = await this.trail.all(by, params, read, info.disconnected);
    return new Bytes(200, streamHeaders(format, head), streamed(format, pages, head));
  }
}
