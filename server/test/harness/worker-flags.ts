/**
 * Flags of Node.js for the workers: a heap that may grow to 800 MB before it is collected. Each test file leaves an app
 * behind, and collecting them again and again took 7 % of the processor time. What is compiled with other flags can't be
 * used, so the template database, which fills the compile cache, is created with the same ones.
 */
export const workerFlags = [
  '--initial-old-space-size=800',
  '--external-memory-accounted-in-global-limit',
  '--no-memory-reducer',
]
