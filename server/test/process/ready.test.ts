/** `scripts/ready.mjs`, run in a project of its own with stand-ins for npm and apt-get that only note their calls. */
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { describeAsRoot } from './as-root.ts'
import { tempFolder } from './temp-folder.ts'

const scripts = fileURLToPath(new URL('../../../scripts', import.meta.url))

/** Notes its name and arguments; `fail` in the project makes it fail like npm without a network. */
const standIn = `#!/bin/sh
echo "$(basename "$0") $*" >> "$PROJECT/calls"
[ -e "$PROJECT/fail" ] && { echo "npm error code ENOTFOUND" >&2; echo "npm error more" >&2; exit 1; }
mkdir -p "$PROJECT/node_modules/.bin" && touch "$PROJECT/node_modules/.bin/node"
`

const install = 'npm install --no-save --no-audit --no-fund --loglevel=error'
const build = 'npm run build --workspace web'

const createProject = async () => {
  const root = await tempFolder()
  const write = async (path: string, content: string) => {
    await mkdir(join(root, path, '..'), { recursive: true })
    await writeFile(join(root, path), content)
  }
  // Without what builds the help: the stand-in for Node.js can't run it.
  await cp(scripts, join(root, 'scripts'), { recursive: true, filter: (path) => path !== join(scripts, 'help') })
  const platform = `node-${process.platform}-${process.arch}`
  await write('package.json', JSON.stringify({ workspaces: ['web'], optionalDependencies: { [platform]: '24.0.0' } }))
  await write('package-lock.json', '{}')
  await write('web/package.json', '{}')
  for (const name of ['npm', 'apt-get']) {
    await write(`bin/${name}`, standIn)
    await chmod(join(root, 'bin', name), 0o755)
  }
  // The few programs that the stand-ins use; none of the peers' programs is on this PATH.
  const PATH = [join(root, 'bin'), await onlyPrograms(root, ['sh', 'basename', 'mkdir', 'touch'])].join(':')

  const ready = async (mode: string, env: Record<string, string> = {}) => {
    const args = [join(root, 'scripts', 'ready.mjs'), mode]
    const run = { env: { PATH, PROJECT: root, ...env } }
    return new Promise<{ code: number; output: string }>((resolve) => {
      execFile(process.execPath, args, run, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, output: (stdout + stderr).trim() }),
      )
    })
  }
  const calls = async () => (await readFile(join(root, 'calls'), 'utf8').catch(() => '')).split('\n').filter(Boolean)
  return { root, write, ready, calls }
}

const onlyPrograms = async (root: string, names: string[]): Promise<string> => {
  const folder = join(root, 'programs')
  await mkdir(folder)
  for (const name of names) {
    await writeFile(join(folder, name), `#!/bin/sh\nexec /usr/bin/${name} "$@"\n`, { mode: 0o755 })
  }
  return folder
}

describe('getting ready', () => {
  it('installs once, and again only when the lock file or a package.json changed', async () => {
    const project = await createProject()
    expect(await project.ready('start')).toMatchObject({ code: 0, output: expect.stringMatching(/^Installing .*$/) })
    expect(await project.ready('start')).toEqual({ code: 0, output: '' })
    await project.write('package-lock.json', '{"changed":true}')
    await project.ready('start')
    await project.write('web/package.json', '{"changed":true}')
    await project.ready('start')
    expect(await project.calls()).toEqual([install, install, install])
  })

  it('is not fooled by a checkout that only touches the files', async () => {
    const project = await createProject()
    await project.ready('start')
    await utimes(join(project.root, 'package-lock.json'), new Date(), new Date(0))
    expect(await project.ready('start')).toEqual({ code: 0, output: '' })
    expect(await project.calls()).toEqual([install])
  })

  it('says in one sentence that the installation failed, and tries again the next time', async () => {
    const project = await createProject()
    await project.write('fail', '')
    const { code, output } = await project.ready('start')
    expect(code).toBe(1)
    expect(output.split('\n')).toEqual([
      expect.stringContaining('Installing dependencies'),
      'Installing dependencies failed (code ENOTFOUND): run npm install to see why.',
    ])
    await project.ready('start')
    expect(await project.calls()).toEqual([install, install])
  })

  it('builds the web app when its sources changed, and shows the output of a build that failed', async () => {
    const project = await createProject()
    await project.write('web/index.html', '<html>')
    await project.write('web/src/main.tsx', 'one')
    expect((await project.ready('start')).output).toMatch(/Building the web app/)
    expect((await project.ready('start')).output).toBe('')
    await project.write('web/src/deep/page.tsx', 'two')
    await project.write('fail', '')
    expect(await project.ready('start')).toMatchObject({ code: 1, output: expect.stringContaining('npm error more') })
    expect(await project.calls()).toEqual([install, build, build])
  })

  it('wants a newer Node.js where no pinned one comes with the installation', async () => {
    const project = await createProject()
    await project.write('package.json', JSON.stringify({ workspaces: ['web'], optionalDependencies: {} }))
    await project.write('old.mjs', "Object.defineProperty(process.versions, 'node', { value: '20.1.0' })")
    const { code, output } = await project.ready('start', { NODE_OPTIONS: `--import=${join(project.root, 'old.mjs')}` })
    expect(code).toBe(1)
    expect(output).toContain('needs version 24 or later')
    expect(await project.calls()).toEqual([])
  })
})

describeAsRoot('getting ready for tests', () => {
  it('asks for the missing packages, and fails in CI when they are still missing', async () => {
    const project = await createProject()
    const { code, output } = await project.ready('test', { CI: 'true' })
    expect(await project.calls()).toContainEqual(expect.stringMatching(/^apt-get install .*chromium redis-server/))
    expect(code).toBe(1)
    expect(output).toMatch(/Tests need packages that could not be installed: chromium, redis-server/)
  })

  it('names what will be skipped, outside CI', async () => {
    const project = await createProject()
    const { code, output } = await project.ready('test', { CI: '' })
    expect(code).toBe(0)
    expect(output).toContain('SKIPPED')
    expect(output).toContain('poppler-utils: ')
  })
})
