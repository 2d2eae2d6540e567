import { WIDGET_EVENTS } from '../domain/widgets/widget-events';
import { activityFeed } from './activities';

/** Changes of polls and to-do lists (contract/realtime.md section 6). */
export const widgetsFeed = activityFeed('widgets', 'submessage', WIDGET_EVENTS);
