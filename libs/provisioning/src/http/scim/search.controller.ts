import type { TokenBearer } from '@annals/kernel';
import { Bearer, Info, RequestInfo } from '@annals/web';
import { Controller } from '@nestjs/common';
import { listRequestOf } from '../../domain/scim/list-request';
import { GROUP } from '../../domain/scim/resource/group-type';
import { USER } from '../../domain/scim/resource/user-type';
import { selector } from '../../domain/scim/selection';
import { presentScimGroup, presentScimUser } from '../../read/scim/present-scim';
import { ScimLists } from '../../read/scim/scim-lists';
import { scimError } from './protocol';
import { ScimAnswers, bodyOf, document } from './scim-answers';
import { ScimEndpoint } from './scim-endpoint';

/** Searches over people and groups together, and what this server does not have (RFC 7644 sections 3.4.3, 3.7 and 3.11). */
@Controller()
export class SearchController {
  constructor(
    private readonly lists: ScimLists,
    private readonly answers: ScimAnswers,
  ) {}

  /** People come before groups. */
  @ScimEndpoint('POST', '.search', { summary: 'People and groups that meet a filter in the body' })
  async search(@Bearer() by: TokenBearer, @Info() info: RequestInfo) {
    const request = listRequestOf(await bodyOf(info));
    const base = await this.answers.base(by);
    const users = await this.lists.users(by.realmId, request);
    const after = {
      startIndex: Math.max(1, request.startIndex - users.total),
      count: request.count - users.page.length,
    };
    const groups = await this.lists.groups(by.realmId, { ...request, ...after });
    const [ofUser, ofGroup] = [selector(request.selection, USER), selector(request.selection, GROUP)];
    return this.answers.list(users.total + groups.total, request.startIndex, [
      ...users.page.map((user) => ofUser(presentScimUser(user, base))),
      ...groups.page.map((group) => ofGroup(presentScimGroup(group, base))),
    ]);
  }

  @ScimEndpoint('POST', 'Bulk', { summary: 'Not there: this server takes one change a request' })
  bulk() {
    return notImplemented('This server takes one change a request.');
  }

  @ScimEndpoint('GET', 'Me', { summary: 'Not there: a token belongs to no person' })
  me() {
    return notImplemented('A token belongs to no person.');
  }

  @ScimEndpoint('POST', 'Me', { summary: 'Not there: a token belongs to no person' })
  createMe() {
    return this.me();
  }

  @ScimEndpoint('PUT', 'Me', { summary: 'Not there: a token belongs to no person' })
  replaceMe() {
    return this.me();
  }

  @ScimEndpoint('PATCH', 'Me', { summary: 'Not there: a token belongs to no person' })
  changeMe() {
    return this.me();
  }

  @ScimEndpoint('DELETE', 'Me', { summary: 'Not there: a token belongs to no person' })
  removeMe() {
    return this.me();
  }
}

const NOT_IMPLEMENTED = 501;

const notImplemented = (detail: string) => document(NOT_IMPLEMENTED, scimError(NOT_IMPLEMENTED, detail));
