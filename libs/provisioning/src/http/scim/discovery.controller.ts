import type { TokenBearer } from '@annals/kernel';
import { Bearer, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { reject } from '../../domain/scim/rejections';
import { RESOURCE_TYPES, resourceTypeDocument, schemaDocument, serviceProviderConfig } from './discovery-documents';
import { ScimAnswers, document } from './scim-answers';
import { ScimEndpoint } from './scim-endpoint';
import { DocumentParams } from './scim.params';

/** What programs can learn of this server before they use it (RFC 7644 section 4). */
@Controller()
export class DiscoveryController {
  constructor(private readonly answers: ScimAnswers) {}

  @ScimEndpoint('GET', 'ServiceProviderConfig', { summary: 'What this server can do' })
  async config(@Bearer() by: TokenBearer) {
    return document(200, serviceProviderConfig(await this.answers.base(by)));
  }

  @ScimEndpoint('GET', 'ResourceTypes', { summary: 'The types of resources' })
  async types(@Bearer() by: TokenBearer) {
    const base = await this.answers.base(by);
    const documents = RESOURCE_TYPES.map((type) => resourceTypeDocument(type, base));
    return this.answers.list(documents.length, 1, documents);
  }

  @ScimEndpoint('GET', 'ResourceTypes/:id', { summary: 'A type of resources' })
  async type(@Bearer() by: TokenBearer, @Params(DocumentParams) { id }: DocumentParams) {
    const found = RESOURCE_TYPES.find(({ name }) => name === id);
    if (!found) throw reject.noSuchResource({ id });
    return document(200, resourceTypeDocument(found, await this.answers.base(by)));
  }

  @ScimEndpoint('GET', 'Schemas', { summary: 'The attributes of resources' })
  async schemas(@Bearer() by: TokenBearer) {
    const base = await this.answers.base(by);
    const documents = RESOURCE_TYPES.map((type) => schemaDocument(type, base));
    return this.answers.list(documents.length, 1, documents);
  }

  @ScimEndpoint('GET', 'Schemas/:id', { summary: 'The attributes of a type of resources' })
  async schema(@Bearer() by: TokenBearer, @Params(DocumentParams) { id }: DocumentParams) {
    const found = RESOURCE_TYPES.find(({ schema }) => schema.toLowerCase() === id.toLowerCase());
    if (!found) throw reject.noSuchResource({ id });
    return document(200, schemaDocument(found, await this.answers.base(by)));
  }
}
