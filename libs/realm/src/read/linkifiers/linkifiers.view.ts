import { defineProjection, on } from '@annals/kernel';
import type { LinkifierText } from '../../domain/linkifiers/linkifier-events';
import {
  LinkifierAdded,
  LinkifierChanged,
  LinkifierRemoved,
  LinkifiersReordered,
} from '../../domain/linkifiers/linkifier-events';

/** The linkifiers. One whose texts were erased has no row. */
export const linkifiersView = defineProjection({
  name: 'realm_linkifiers',
  version: 1,
  lifecycle: 'inline',
  tables: {
    realm_linkifiers: {
      columns: {
        linkifier_id: 'int4',
        /** Position of the event that gave it its place: later ones are behind. */
        ordered_position: 'int8',
        /** Its place among those that this event ordered. */
        place: 'int4',
        pattern: 'text',
        url_template: 'text',
        example_input: 'text',
        reverse_template: 'text',
        alternative_url_templates: 'text[]',
      },
      key: ['linkifier_id'],
      sealed: ['pattern', 'url_template', 'example_input', 'reverse_template', 'alternative_url_templates'],
    },
  },
  handlers: [
    on(LinkifierAdded, ({ data, sealed, position }, rows) => {
      if (sealed === 'erased') return;
      const place = { linkifier_id: data.linkifierId, ordered_position: position, place: 0 };
      rows.insert('realm_linkifiers', { ...place, ...columnsOf(sealed) });
    }),
    on(LinkifierChanged, ({ data, sealed }, rows) => {
      const key = { linkifier_id: data.linkifierId };
      if (sealed === 'erased') rows.delete('realm_linkifiers', key);
      else rows.update('realm_linkifiers', key, columnsOf(sealed));
    }),
    on(LinkifierRemoved, ({ data }, rows) => rows.delete('realm_linkifiers', { linkifier_id: data.linkifierId })),
    on(LinkifiersReordered, ({ data, position }, rows) => {
      for (const [place, linkifier_id] of data.order.entries()) {
        rows.update('realm_linkifiers', { linkifier_id }, { ordered_position: position, place });
      }
    }),
  ],
});

const columnsOf = (text: LinkifierText) => ({
  pattern: text.pattern,
  url_template: text.urlTemplate,
  example_input: text.exampleInput ?? null,
  reverse_template: text.reverseTemplate ?? null,
  alternative_url_templates: text.alternativeUrlTemplates ?? [],
});
