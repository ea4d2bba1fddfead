/** PostgreSQL's settings. Durability is left at PostgreSQL's own defaults: fsync and full page writes are on. */

/** A list setting, so the folder is quoted: its path may hold a comma or a space. */
const quoted = (path: string): string => `"${path.replaceAll('"', '""')}"`

export const serverSettings = (socketFolder: string): Record<string, string> => ({
  listen_addresses: '',
  unix_socket_directories: quoted(socketFolder),
  unix_socket_permissions: '0700',
  shared_buffers: '128MB',
  max_connections: '100',
  // One file per weekday, overwritten a week later, in `<data folder>/postgres/log`.
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgresql-%a.log',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
})

/** PostgreSQL's own default, and what one server can use with room to spare. */
const usualConnections = 100
/** Of each server, beside its pool: for notifications, leases and checks. */
const besidePool = 8

/** Each server has a pool of its own. */
export const settingsFor = ({ servers, poolSize }: { servers: number; poolSize: number }): Record<string, string> => ({
  // One more than there are servers, while each is replaced in turn.
  max_connections: String(Math.max(usualConnections, (servers + 1) * (poolSize + besidePool))),
})
