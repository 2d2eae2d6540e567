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
  version: 2,
  lifecycle: 'inline',
  tables: {
    realm_linkifiers: {
      columns: {
        linkifier_id: 'int4',
        /** Position of the event that gave it its rank: later ones are behind. */
        ordered_position: 'int8',
        /** Its rank among those that this event ordered. */
        rank: 'int4',
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
      const order = { linkifier_id: data.linkifierId, ordered_position: position, rank: 0 };
      rows.insert('realm_linkifiers', { ...order, ...columnsOf(sealed) });
    }),
    on(LinkifierChanged, ({ data, sealed }, rows) => {
      const key = { linkifier_id: data.linkifierId };
      if (sealed === 'erased') rows.delete('realm_linkifiers', key);
      else rows.update('realm_linkifiers', key, columnsOf(sealed));
    }),
    on(LinkifierRemoved, ({ data }, rows) => rows.delete('realm_linkifiers', { linkifier_id: data.linkifierId })),
    on(LinkifiersReordered, ({ data, position }, rows) => {
      for (const [rank, linkifier_id] of data.order.entries()) {
        rows.update('realm_linkifiers', { linkifier_id }, { ordered_position: position, rank });
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
