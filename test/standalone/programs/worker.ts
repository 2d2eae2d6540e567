import { reportReady, whenLauncherEnds } from '../../../libs/embedded/src/child-protocol';

/** Serves nothing until it is ended. */
const waiting = setInterval(() => undefined, 60_000);
const end = () => {
  clearInterval(waiting);
  process.exit();
};
process.once('SIGTERM', end);
whenLauncherEnds(end);
reportReady();
