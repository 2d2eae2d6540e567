import type { RegisterBlock } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import type { Playground } from '../../domain/playgrounds/playgrounds';

/** The oldest first. */
async function readPlaygrounds(client: ClientBase, realmId: RealmId): Promise<Playground[]> {
  const { rows } = await client.query<Playground>({
    name: 'realm-playgrounds',
    text: `SELECT playground_id AS id, name, language, url_template AS "urlTemplate" FROM view.realm_playgrounds
      WHERE realm_id = $1 ORDER BY playground_id`,
    values: [realmId],
  });
  return rows;
}

/** contract/boot.md section 4.1 */
export const presentPlayground = ({ id, name, language, urlTemplate }: Playground) => ({
  id,
  name,
  pygments_language: language,
  url_template: urlTemplate,
});

/** contract/boot.md section 4.1 */
export const playgroundsRegisterBlock: RegisterBlock = {
  keys: ['realm_playgrounds'],
  read: async ({ client, realmId }) => ({
    realm_playgrounds: (await readPlaygrounds(client, realmId)).map(presentPlayground),
  }),
};
