import { rejection } from '@annals/kernel/domain';

const bad = (text: string) => rejection('BAD_REQUEST', text);
/** About a value, by the name of its field. */
const of = (text: (field: string) => string) => (field: string) => bad(text(field))();

/** Refusals about custom profile fields and their values (contract/profile-fields.md section 3). */
export const reject = {
  administratorNeeded: rejection('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator'),
  noSuchField: (id: number) => bad(`Field id ${id} not found.`)(),
  tooManyFields: bad('There are as many custom profile fields as an organization can have.'),
  nameBlank: bad('Label cannot be blank.'),
  nameTooLong: bad('name is too long (limit: 40 characters)'),
  nameCharacters: bad('Invalid characters in name'),
  hintTooLong: bad('hint is too long (limit: 80 characters)'),
  nameTaken: bad('A field with that label already exists.'),
  badType: bad('Invalid field type.'),
  noChoice: bad('Field must have at least one choice.'),
  tooManyChoices: bad('Field has too many choices.'),
  badChoice: bad('A choice needs a key, a text and an order, and nothing else, of at most 100 characters each.'),
  choicesAlike: bad('Field must not have duplicate choices.'),
  badAccount: bad('field_data of an external account holds a subtype and perhaps a url_pattern, and nothing else.'),
  unknownAccount: bad('Invalid external account type'),
  accountFixed: bad('The type of an external account cannot be changed.'),
  patternMissing: bad('Custom external account must define URL pattern'),
  badPattern: bad("URL pattern must be a URL that contains '%(username)s' once."),
  defaultAccountFixed: bad('Default custom field cannot be updated.'),
  notInSummary: bad('Field type not supported for display in profile summary.'),
  summaryFull: bad('Only 2 custom profile fields can be displayed in the profile summary.'),
  notForMatching: bad('Field type not supported for user matching.'),
  incompleteOrder: bad('Invalid order mapping.'),
  fieldNotEditable: bad('You are not allowed to change this field. Contact an administrator to update it.'),
  notText: of((name) => `${name} is not a string`),
  notAList: of((name) => `${name} is not a list`),
  tooLong: of((name) => `${name} is too long`),
  notAChoice: of((name) => `Invalid choice for ${name}`),
  notADate: of((name) => `${name} is not a date`),
  notALink: of((name) => `${name} is not a URL`),
  notAPerson: (id: number) => bad(`Invalid user ID: ${id}`)(),
};
