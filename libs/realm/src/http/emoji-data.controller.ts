import { Controller, Get } from '@nestjs/common';
import { EMOJI_DATA_PATH } from '../read/server-properties';

/** Which emoji the server knows, by code. Clients fetch it right after they register (contract/boot.md section 3). */
@Controller()
export class EmojiDataController {
  /** None, as long as nobody can react with one. */
  @Get(EMOJI_DATA_PATH)
  read() {
    return { code_to_names: {} };
  }
}
