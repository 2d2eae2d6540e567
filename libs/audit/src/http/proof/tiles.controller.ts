import type { Actor } from '@annals/kernel/domain';
import { By, Endpoint, Info, Params, PathText, RequestInfo } from '@annals/web';
import { Controller } from '@nestjs/common';
import { reject } from '../../domain/proof-rejections';
import { SignedTree } from '../../read/signed-tree';
import { Auditing } from '../../read/auditing';
import { answerWithBytes } from './bytes-of';
import { parseTilePath } from './tile-path';

class TileParams {
  @PathText({ max: 100, about: 'As in C2SP tlog-tiles: `0/x001/234`, `1/000.p/17` or `entries/x001/234`.' })
  path: string;
}

/** The content of a URL never changes, but not everybody may read it. */
const FOR_EVER = 'private, max-age=31536000, immutable';

@Controller()
export class TilesController {
  constructor(
    private readonly tree: SignedTree,
    private readonly auditors: Auditing,
  ) {}

  /** contract/audit.md section 5 */
  @Endpoint('GET', 'audit/tile/*path', {
    audience: 'anyone',
    section: 'audit 5',
    summary: 'Hashes of the tree of the log, or its events, 256 at once',
    bytes: true,
    returns: null,
  })
  async show(@By() by: Actor, @Params(TileParams) p: TileParams, @Info() info: RequestInfo) {
    await this.auditors.ensure(by);
    const named = parseTilePath(p.path);
    if (!named) throw reject.noSuchTile();
    const { tile, width } = named;
    const content =
      tile.level === 'entries'
        ? await this.tree.entries(by.realmId, tile.index, width)
        : await this.tree.tile(by.realmId, { level: tile.level, index: tile.index }, width);
    return answerWithBytes(content, { 'Content-Type': 'application/octet-stream', 'Cache-Control': FOR_EVER }, info);
  }
}
