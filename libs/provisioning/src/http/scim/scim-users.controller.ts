import type { TokenBearer } from '@annals/kernel';
import { Bearer, Info, Params, RequestInfo } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ChangeScimUser, CreateScimUser, RemoveScimUser } from '../../application/scim/scim-user-commands';
import { selector } from '../../domain/scim/selection';
import { operationsOf } from '../../domain/scim/patch/operations';
import type { JsonObject } from '../../domain/scim/json';
import { listRequestOf } from '../../domain/scim/list-request';
import { reject } from '../../domain/scim/rejections';
import { USER } from '../../domain/scim/resource/user-type';
import { toInt } from '../../read/scim/keys';
import { presentScimUser } from '../../read/scim/present-scim';
import { ScimLists } from '../../read/scim/scim-lists';
import { ScimAnswers, bodyOf, nothing } from './scim-answers';
import { ScimEndpoint } from './scim-endpoint';
import { ListParams, ResourceParams, SelectionParams, searchIn, selectionIn } from './scim.params';
import { targetOf } from './scim-target';

/** People (RFC 7644 sections 3.3 to 3.6). */
@Controller()
export class ScimUsersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly lists: ScimLists,
    private readonly answers: ScimAnswers,
  ) {}

  @ScimEndpoint('POST', 'Users', { summary: 'Create a person', command: 'CreateScimUser' })
  async create(@Bearer() by: TokenBearer, @Info() info: RequestInfo, @Params(SelectionParams) p: SelectionParams) {
    const selection = selectionIn(p);
    const id = await this.commands.execute(new CreateScimUser(by, await bodyOf(info)));
    return this.answers.resource(201, await this.presented(by, id), selection);
  }

  @ScimEndpoint('GET', 'Users', { summary: 'People who meet a filter' })
  list(@Bearer() by: TokenBearer, @Params(ListParams) p: ListParams) {
    return this.listed(by, searchIn(p));
  }

  @ScimEndpoint('POST', 'Users/.search', { summary: 'People who meet a filter in the body' })
  async search(@Bearer() by: TokenBearer, @Info() info: RequestInfo) {
    return this.listed(by, await bodyOf(info));
  }

  @ScimEndpoint('GET', 'Users/:id', { summary: 'A person' })
  async show(@Bearer() by: TokenBearer, @Info() info: RequestInfo, @Params(ResourceParams) p: ResourceParams) {
    return this.answers.requested(await this.presented(by, Number(toInt(p.id)), p.id), selectionIn(p), info);
  }

  @ScimEndpoint('PUT', 'Users/:id', { summary: 'Replace a person', command: 'ChangeScimUser', evenIfFull: true })
  async replace(@Bearer() by: TokenBearer, @Info() info: RequestInfo, @Params(ResourceParams) p: ResourceParams) {
    const selection = selectionIn(p);
    const id = await this.commands.execute(
      new ChangeScimUser(by, targetOf(p, info), { kind: 'replacement', body: await bodyOf(info) }),
    );
    return this.answers.resource(200, await this.presented(by, id), selection);
  }

  @ScimEndpoint('PATCH', 'Users/:id', { summary: 'Change a person', command: 'ChangeScimUser', evenIfFull: true })
  async change(@Bearer() by: TokenBearer, @Info() info: RequestInfo, @Params(ResourceParams) p: ResourceParams) {
    const selection = selectionIn(p);
    const operations = operationsOf(await bodyOf(info));
    const id = await this.commands.execute(
      new ChangeScimUser(by, targetOf(p, info), { kind: 'operations', operations }),
    );
    return this.answers.resource(200, await this.presented(by, id), selection);
  }

  @ScimEndpoint('DELETE', 'Users/:id', { summary: 'Deactivate a person', command: 'RemoveScimUser', evenIfFull: true })
  async remove(@Bearer() by: TokenBearer, @Info() info: RequestInfo, @Params(ResourceParams) p: ResourceParams) {
    await this.commands.execute(new RemoveScimUser(by, targetOf(p, info)));
    return nothing(204);
  }

  private async listed(by: TokenBearer, wanted: JsonObject) {
    const request = listRequestOf(wanted);
    const base = await this.answers.base(by);
    const { total, page } = await this.lists.users(by.realmId, request);
    const cut = selector(request.selection, USER);
    const resources = page.map((user) => cut(presentScimUser(user, base)));
    return this.answers.list(total, request.startIndex, resources);
  }

  /** @throws Rejected NOT_FOUND */
  private async presented(by: TokenBearer, id: number, sent = String(id)) {
    const user = id > 0 ? await this.lists.user(by.realmId, id) : undefined;
    if (!user) throw reject.noSuchResource({ id: sent });
    const resource = presentScimUser(user, await this.answers.base(by));
    return { type: USER, version: user.version, resource };
  }
}
