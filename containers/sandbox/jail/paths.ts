// Worker processes find their files at these paths, as they see them.

export const HOME_PATH = "/home/user";
export const DRIVE_PATH = `${HOME_PATH}/drive`;

/** Programs, libraries and the few settings that they read. */
export const SYSTEM_PATHS = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib64"],
  ...["/etc/ld.so.cache", "/etc/ssl", "/etc/localtime", "/etc/alternatives", "/etc/mime.types"],
];

export const DEVICES = [
  ...["/dev/urandom", "/dev/random", "/dev/zero"],
  ...["/proc/meminfo", "/proc/cpuinfo", "/proc/stat", "/sys/devices/system/cpu"],
];
