/**
 * Condition: the text of row `m` of `view.messages` or the name of its topic has each of the phrases; needs PLACE_JOIN. Rows with
 * the words of an earlier text or name do not count.
 *
 * @param phrases placeholder of an array of tsquery texts
 */
export const matchesSql = (
  phrases: string,
): string => `NOT EXISTS (SELECT FROM unnest(${phrases}::tsquery[]) AS q(query)
  WHERE NOT EXISTS (SELECT FROM view.message_words AS x WHERE x.realm_id = m.realm_id AND x.message_id = m.message_id
      AND x.position = m.content_position AND x.words @@ q.query)
    AND NOT EXISTS (SELECT FROM view.topic_words AS y WHERE y.realm_id = p.realm_id AND y.topic_id = p.topic_id
      AND y.position = p.last_position AND y.words @@ q.query))`;
