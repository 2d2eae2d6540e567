// Starts Annals on a machine that has nothing but Node and npm: `npm start`, or `node start.mjs`.
// With `--packages-only` it ends when the packages are there, which is all that `npm test` needs; with `--build-id` it
// writes the digest of the sources, which a build is known by.
// The syntax is that of old Nodes, so that they can read the sentence that is meant for them.
import childProcess from 'child_process';
import crypto from 'crypto';
import fs from 'fs';
import path from 'path';
import url from 'url';

const NEEDED = [20, 19];
const root = path.dirname(url.fileURLToPath(import.meta.url));
const buildIdFile = path.join(root, 'dist', '.build-id');

async function start() {
  if (process.argv[2] === '--build-id') return void process.stdout.write(identifySources());
  const version = process.versions.node.split('.').map(Number);
  if (version[0] < NEEDED[0] || (version[0] === NEEDED[0] && version[1] < NEEDED[1])) {
    throw 'Annals needs Node ' + NEEDED.join('.') + ' or newer; this is ' + process.versions.node + '.';
  }
  if (packagesAreStale()) {
    console.log('Installing packages.');
    await npm(['ci', '--include=dev', '--no-audit', '--no-fund']);
  }
  if (process.argv[2] === '--packages-only') return;
  const buildId = identifySources();
  if (textOf(buildIdFile) !== buildId) {
    console.log('Building.');
    await npm(['run', '--silent', 'build']);
    fs.writeFileSync(buildIdFile, buildId);
  }
  // in this process: one process less for a signal to get lost in
  await import(url.pathToFileURL(path.join(root, 'dist', 'apps', 'standalone', 'src', 'main.js')).href);
}

/** Whether node_modules is not what package-lock.json says; packages for other platforms may be absent. */
function packagesAreStale() {
  const list = textOf(path.join(root, 'node_modules', '.package-lock.json'));
  if (list === undefined) return true;
  const installed = JSON.parse(list).packages;
  const wanted = JSON.parse(textOf(path.join(root, 'package-lock.json'))).packages;
  return Object.keys(wanted).some((name) => {
    if (name === '') return false;
    return installed[name] ? installed[name].version !== wanted[name].version : !wanted[name].optional;
  });
}

/** A digest of everything the build depends on. */
function identifySources() {
  const hash = crypto.createHash('sha256');
  const files = ['package.json', 'package-lock.json', '.swcrc'].concat(sourcesIn('apps'), sourcesIn('libs'));
  for (const file of files) hash.update(file + '\0' + textOf(path.join(root, file)) + '\0');
  return hash.digest('hex');
}

function sourcesIn(folder) {
  const entries = fs.readdirSync(path.join(root, folder), { withFileTypes: true });
  const found = entries.map((entry) => {
    const name = folder + '/' + entry.name;
    if (entry.isDirectory()) return sourcesIn(name);
    return name.endsWith('.ts') && !name.endsWith('.spec.ts') ? [name] : [];
  });
  return [].concat(...found).sort();
}

function textOf(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
}

/** Runs npm, the one that runs us if there is one, and takes it along when we are ended. */
function npm(args) {
  const own = process.env.npm_execpath;
  const command = own && own.endsWith('npm-cli.js') ? [process.execPath, own] : ['npm'];
  const child = childProcess.spawn(command[0], command.slice(1).concat(args), { cwd: root, stdio: 'inherit' });
  const end = (signal) => child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, end);
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject('npm cannot be run: ' + error.message + '.'));
    child.on('exit', (code, signal) => {
      for (const name of signals) process.off(name, end);
      if (code === 0) resolve();
      else reject('"npm ' + args.join(' ') + '" failed (' + (signal || 'exit code ' + code) + ').');
    });
  });
}

start().catch((problem) => {
  console.error(problem);
  process.exit(1);
});
