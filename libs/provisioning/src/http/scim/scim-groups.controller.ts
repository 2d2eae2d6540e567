import type { TokenBearer } from '@annals/kernel';
import { Bearer, Info, Params, RequestInfo } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ChangeScimGroup, CreateScimGroup, RemoveScimGroup } from '../../application/scim/scim-group-commands';
import { operationsOf } from '../../domain/scim/patch/operations';
import type { JsonObject } from '../../domain/scim/json';
import { listRequestOf } from '../../domain/scim/list-request';
import { tagOf } from '../../domain/scim/precondition';
import { reject } from '../../domain/scim/rejections';
import { GROUP } from '../../domain/scim/resource/group-type';
import type { AttributeSelection } from '../../domain/scim/selection';
import { isSelected, selector } from '../../domain/scim/selection';
import { toInt } from '../../read/scim/keys';
import { presentScimGroup } from '../../read/scim/present-scim';
import { ScimLists } from '../../read/scim/scim-lists';
import { ScimAnswers, bodyOf, nothing } from './scim-answers';
import { ScimEndpoint } from './scim-endpoint';
import { ListParams, ResourceParams, SelectionParams, searchIn, selectionIn } from './scim.params';
import { targetOf } from './scim-target';

/** User groups (RFC 7644 sections 3.3 to 3.6). */
@Controller()
export class ScimGroupsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly lists: ScimLists,
    private readonly answers: ScimAnswers,
  ) {}

  @ScimEndpoint('POST', 'Groups', { summary: 'Create a user group', command: 'CreateScimGroup' })
  async create(@Bearer() by: TokenBearer, @Info() info: RequestInfo, @Params(SelectionParams) p: SelectionParams) {
    const selection = selectionIn(p);
    const id = await this.commands.execute(new CreateScimGroup(by, await bodyOf(info)));
    return this.answers.resource(201, await this.presented(by, String(id), selection), selection);
  }

  @ScimEndpoint('GET', 'Groups', { summary: 'User groups that meet a filter' })
  list(@Bearer() by: TokenBearer, @Params(ListParams) p: ListParams) {
    return this.listed(by, searchIn(p));
  }

  @ScimEndpoint('POST', 'Groups/.search', { summary: 'User groups that meet a filter in the body' })
  async search(@Bearer() by: TokenBearer, @Info() info: RequestInfo) {
    return this.listed(by, await bodyOf(info));
  }

  @ScimEndpoint('GET', 'Groups/:id', { summary: 'A user group' })
  async show(@Bearer() by: TokenBearer, @Info() info: RequestInfo, @Params(ResourceParams) p: ResourceParams) {
    const selection = selectionIn(p);
    return this.answers.requested(await this.presented(by, p.id, selection), selection, info);
  }

  @ScimEndpoint('PUT', 'Groups/:id', { summary: 'Replace a user group', command: 'ChangeScimGroup' })
  async replace(@Bearer() by: TokenBearer, @Info() info: RequestInfo, @Params(ResourceParams) p: ResourceParams) {
    const selection = selectionIn(p);
    await this.commands.execute(
      new ChangeScimGroup(by, targetOf(p, info), { kind: 'replacement', body: await bodyOf(info) }),
    );
    return this.answers.resource(200, await this.presented(by, p.id, selection), selection);
  }

  /** Without `attributes` the answer is empty, because a group may have ten thousand members. */
  @ScimEndpoint('PATCH', 'Groups/:id', { summary: 'Change a user group', command: 'ChangeScimGroup' })
  async change(@Bearer() by: TokenBearer, @Info() info: RequestInfo, @Params(ResourceParams) p: ResourceParams) {
    const selection = selectionIn(p);
    const operations = operationsOf(await bodyOf(info));
    await this.commands.execute(new ChangeScimGroup(by, targetOf(p, info), { kind: 'operations', operations }));
    const changed = await this.presented(by, p.id, selection, selection.only !== null);
    if (selection.only === null) return nothing(204, { ETag: tagOf(changed.version) });
    return this.answers.resource(200, changed, selection);
  }

  @ScimEndpoint('DELETE', 'Groups/:id', { summary: 'Deactivate a user group', command: 'RemoveScimGroup' })
  async remove(@Bearer() by: TokenBearer, @Info() info: RequestInfo, @Params(ResourceParams) p: ResourceParams) {
    await this.commands.execute(new RemoveScimGroup(by, targetOf(p, info)));
    return nothing(204);
  }

  private async listed(by: TokenBearer, wanted: JsonObject) {
    const request = listRequestOf(wanted);
    const base = await this.answers.base(by);
    const { total, page } = await this.lists.groups(by.realmId, request);
    const cut = selector(request.selection, GROUP);
    const resources = page.map((group) => cut(presentScimGroup(group, base)));
    return this.answers.list(total, request.startIndex, resources);
  }

  /** @throws Rejected NOT_FOUND */
  private async presented(by: TokenBearer, id: string, selection: AttributeSelection, isShown = true) {
    const groupId = Number(toInt(id));
    const withMembers = isShown && isSelected(selection, GROUP, 'members');
    const group = groupId > 0 ? await this.lists.group(by.realmId, groupId, withMembers) : undefined;
    if (!group) throw reject.noSuchResource({ id });
    const resource = presentScimGroup(group, await this.answers.base(by));
    return { type: GROUP, version: group.version, resource };
  }
}
