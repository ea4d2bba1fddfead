/**
 * Flags of Node.js for the workers: a heap that may grow to 800 MB before it is collected. Modules and apps of earlier
 * files stay in it, and collecting them again and again took 7 % of the processor time of all modules' tests. It pays
 * late: over the first thirty files of a worker nothing, and the worker holds 750 MB instead of 590.
 */
export const workerFlags = [
  '--initial-old-space-size=800',
  '--external-memory-accounted-in-global-limit',
  '--no-memory-reducer',
]
