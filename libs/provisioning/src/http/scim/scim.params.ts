import { PathText, TextParam } from '@annals/web';
import { MAX_FILTER } from '../../domain/scim/filter/parse-filter';
import type { JsonObject } from '../../domain/scim/json';
import type { AttributeSelection } from '../../domain/scim/selection';
import { selectionOf } from '../../domain/scim/selection';

const MAX_NAMES = 4_000;
const MAX_NUMBER = 10;
const MAX_ID = 100;

/** Which attributes the answer has. */
export class SelectionParams {
  @TextParam({ optional: true, max: MAX_NAMES, about: 'The attributes to return, with commas.' }) attributes?: string;
  @TextParam({ optional: true, max: MAX_NAMES, about: 'The attributes to leave out, with commas.' })
  excludedAttributes?: string;
}

export class ResourceParams extends SelectionParams {
  @PathText({ max: MAX_ID, about: 'The id of the resource.' }) id: string;
}

export class ListParams extends SelectionParams {
  @TextParam({ optional: true, max: MAX_FILTER, about: 'Such as `userName eq "ada@example.com"`.' }) filter?: string;
  @TextParam({ optional: true, max: MAX_ID, about: 'The attribute to sort by.' }) sortBy?: string;
  @TextParam({ optional: true, max: MAX_ID, about: '`ascending` or `descending`.' }) sortOrder?: string;
  @TextParam({ optional: true, max: MAX_NUMBER, about: 'The first resource, from 1.' }) startIndex?: string;
  @TextParam({ optional: true, max: MAX_NUMBER, about: 'How many resources, at most 1000.' }) count?: string;
}

export class DocumentParams {
  @PathText({ max: MAX_ID, about: 'The id of the document.' }) id: string;
}

/** @throws Rejected INVALID_PATH for what is no name of an attribute */
export const selectionIn = ({ attributes, excludedAttributes }: SelectionParams): AttributeSelection =>
  selectionOf(attributes, excludedAttributes);

/** The same parameters as in the body of a search. */
export const searchIn = (params: ListParams): JsonObject => ({ ...params });
