/** Variables that a program needs to be found and loaded, and for its temporary files. */
const PASSED = ['PATH', 'TMPDIR', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

/** The environment of a service. It has no variables of this program, because these hold passwords. */
export function serviceEnvironment(): NodeJS.ProcessEnv {
  const passed = PASSED.map((name) => [name, process.env[name]] as const).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(passed), LC_ALL: 'C' };
}
