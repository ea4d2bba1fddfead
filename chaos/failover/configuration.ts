/** The files of `deploy/ha`, as they are written for three machines, for three machines on the loopback of this one. */
import { readFileSync } from 'node:fs'

export interface Place {
  /** 1 to 3. */
  number: number
  /** The first three bytes of all addresses, with the dots. */
  network: string
  /** The machine's own. */
  folder: string
}

const read = (name: string): string => readFileSync(new URL(`../../deploy/ha/${name}`, import.meta.url), 'utf8')

const replaceAll = (text: string, pairs: readonly (readonly [string, string])[]): string =>
  pairs.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`deploy/ha no longer says ${from}.`)
    return changed.replaceAll(from, to)
  }, text)

export const addressOf = ({ network, number }: Pick<Place, 'network' | 'number'>): string => `${network}${10 + number}`

/** What is before this line belongs to one machine, and is written for the first. */
const shared = '# The same on all three.'

export const environment = (file: 'etcd' | 'patroni_env.conf', place: Place): Record<string, string> => {
  const [own = '', ofAll = ''] = read(file).split(shared)
  const lines =
    `${own.replaceAll('10.0.0.11', `10.0.0.${10 + place.number}`).replaceAll('db1', `db${place.number}`)}${ofAll}`
      .replaceAll('10.0.0.', place.network)
      .split('\n')
  return Object.fromEntries(
    lines.flatMap((line) => {
      const at = line.indexOf('=')
      return line.startsWith('#') || at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)]]
    }),
  )
}

/** Without a watchdog, which would restart this machine. */
export const patroniConfig = ({ network, folder }: Place): string =>
  replaceAll(read('patroni.yml'), [
    ['10.0.0.0/24', '127.0.0.0/8'],
    ['10.0.0.', network],
    ['/var/lib/postgresql/15/chancery', `${folder}/data`],
    ['/var/run/postgresql', folder],
    ['mode: automatic', `mode: 'off'`],
  ])

/** With a folder of this machine instead of S3. */
export const pgbackrestConfig = ({ folder }: Place, repository: string): string => {
  const text = replaceAll(read('pgbackrest.conf'), [
    ['repo1-type=s3', `repo1-type=posix\nlock-path=${folder}\nlog-level-file=off`],
    ['repo1-path=/chancery', `repo1-path=${repository}`],
    ['/var/lib/postgresql/15/chancery', `${folder}/data`],
    ['/var/run/postgresql', folder],
  ])
  return text.replaceAll(/^repo1-s3-.*\n/gm, '')
}

interface Pooler {
  port: number
  haproxyPort: number
  usersFile: string
}

export const pgbouncerConfig = ({ port, haproxyPort, usersFile }: Pooler): string =>
  replaceAll(read('pgbouncer.ini'), [
    ['host=127.0.0.1 port=5000', `host=127.0.0.1 port=${haproxyPort}`],
    ['listen_port = 6432', `listen_port = ${port}\nunix_socket_dir =`],
    ['/etc/pgbouncer/userlist.txt', usersFile],
  ])

export const haproxyConfig = (network: string, port: number): string =>
  replaceAll(read('haproxy.cfg'), [
    ['10.0.0.', network],
    ['bind 127.0.0.1:5000', `bind 127.0.0.1:${port}`],
  ])
