/** What a program may need to be found and loaded, and to put its temporary files somewhere. */
const PASSED = ['PATH', 'TMPDIR', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

/** The environment of a service: nothing of ours, which holds passwords that are none of its business. */
export function serviceEnvironment(): NodeJS.ProcessEnv {
  const passed = PASSED.map((name) => [name, process.env[name]] as const).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(passed), LC_ALL: 'C' };
}
