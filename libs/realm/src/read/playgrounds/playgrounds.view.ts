import { defineProjection, on } from '@annals/kernel';
import { PlaygroundAdded, PlaygroundRemoved } from '../../domain/playgrounds/playground-events';

/** The code playgrounds. One whose texts were erased has no row. */
export const playgroundsView = defineProjection({
  name: 'realm_playgrounds',
  version: 1,
  lifecycle: 'inline',
  tables: {
    realm_playgrounds: {
      columns: { playground_id: 'int4', name: 'text', language: 'text', url_template: 'text' },
      key: ['playground_id'],
      sealed: ['name', 'language', 'url_template'],
    },
  },
  handlers: [
    on(PlaygroundAdded, ({ data, sealed }, rows) => {
      if (sealed === 'erased') return;
      const { name, language, urlTemplate } = sealed;
      rows.insert('realm_playgrounds', { playground_id: data.playgroundId, name, language, url_template: urlTemplate });
    }),
    on(PlaygroundRemoved, ({ data }, rows) => rows.delete('realm_playgrounds', { playground_id: data.playgroundId })),
  ],
});
