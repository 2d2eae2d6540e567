import { Module } from '@nestjs/common';
import { FilesModule } from '../files.module';
import { Downloads } from './downloads';
import { DownloadsController } from './downloads.controller';
import { ThumbnailsController } from './thumbnails.controller';
import { UploadsController } from './uploads.controller';

@Module({
  imports: [FilesModule],
  providers: [Downloads],
  controllers: [UploadsController, DownloadsController, ThumbnailsController],
})
export class FilesHttpModule {}
