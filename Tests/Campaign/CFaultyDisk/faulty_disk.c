#include "faulty_disk.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECTOR = 512 };

// A change of a file that the disk may lose.
typedef struct {
    int64_t offset;
    int64_t length;
    unsigned char *bytes;  // NULL: the file is cut off, or made longer, to `length`; or deleted: DELETED.
    int64_t cached;  // Which of the syncs that lied has followed; 0: none.
} change;

enum { DELETED = -1 };

typedef struct image {
    struct image *next;
    char *path;
    unsigned char *durable;
    int64_t durable_length;  // DELETED: there is no such file.
    change *changes;
    int count, capacity;
} image;

struct faulty_disk {
    struct faulty_disk *next;
    char *directory;
    faulty_disk_decide decide;
    faulty_disk_random random;
    void *context;
    image *images;
    int is_dead;
    int is_lying;
    int64_t lies;  // How many syncs have lied.
};

typedef struct {
    sqlite3_file base;
    faulty_disk *disk;
    image *image;
    sqlite3_file *real;  // behind this struct
} file;

static sqlite3_vfs shim;
static sqlite3_vfs *real_vfs;
static faulty_disk *disks;
static pthread_mutex_t disks_lock = PTHREAD_MUTEX_INITIALIZER;

static void *checked(void *memory) {
    if (memory == NULL) abort();
    return memory;
}

static faulty_disk *disk_of(const char *path) {
    if (path == NULL) return NULL;
    pthread_mutex_lock(&disks_lock);
    faulty_disk *disk = disks;
    for (; disk != NULL; disk = disk->next) {
        size_t length = strlen(disk->directory);
        if (strncmp(disk->directory, path, length) == 0 && path[length] == '/') break;
    }
    pthread_mutex_unlock(&disks_lock);
    return disk;
}

// MARK: What a disk holds

static image *image_of(faulty_disk *disk, const char *path) {
    for (image *found = disk->images; found != NULL; found = found->next) {
        if (strcmp(found->path, path) == 0) return found;
    }
    image *new = checked(calloc(1, sizeof(image)));
    new->path = checked(strdup(path));
    new->next = disk->images;
    disk->images = new;
    return new;
}

static void note(image *image, int64_t offset, const void *bytes, int64_t length) {
    if (image->count == image->capacity) {
        image->capacity = image->capacity == 0 ? 16 : 2 * image->capacity;
        image->changes = checked(realloc(image->changes, (size_t)image->capacity * sizeof(change)));
    }
    change *new = &image->changes[image->count++];
    *new = (change){.offset = offset, .length = length};
    if (bytes == NULL) return;
    new->bytes = checked(malloc((size_t)length));
    memcpy(new->bytes, bytes, (size_t)length);
}

static void resize(image *image, int64_t length) {
    if (image->durable_length == DELETED) image->durable_length = 0;
    if (length > image->durable_length) {
        image->durable = checked(realloc(image->durable, (size_t)length));
        memset(image->durable + image->durable_length, 0, (size_t)(length - image->durable_length));
    }
    image->durable_length = length;
}

static void apply(image *image, const change *change, int64_t length) {
    if (change->bytes == NULL) {
        resize(image, change->length);
        return;
    }
    if (change->offset + length > image->durable_length) resize(image, change->offset + length);
    memcpy(image->durable + change->offset, change->bytes, (size_t)length);
}

static void forget_changes(image *image, int count) {
    if (count == 0) return;
    for (int index = 0; index < count; index++) free(image->changes[index].bytes);
    image->count -= count;
    memmove(image->changes, image->changes + count, (size_t)image->count * sizeof(change));
}

static void keep_changes(image *image, int count) {
    for (int index = 0; index < count; index++) apply(image, &image->changes[index], image->changes[index].length);
    forget_changes(image, count);
}

// Of an image's changes the first ones: what a sync covers comes before what it does not.
static int cached_count(const image *image, int64_t lies_max) {
    int count = 0;
    while (count < image->count && image->changes[count].cached > 0 && image->changes[count].cached <= lies_max) count++;
    return count;
}

// How many of the syncs that lied have not come true.
static int64_t lies_pending(const faulty_disk *disk) {
    int64_t first = disk->lies + 1;
    for (const image *image = disk->images; image != NULL; image = image->next) {
        if (cached_count(image, first - 1) > 0) first = image->changes[0].cached;
    }
    return disk->lies + 1 - first;
}

// What a disk has in its cache, of whatever file, comes before what it is given now.
static void sync_image(faulty_disk *disk, image *synced) {
    if (disk->is_lying) {
        disk->lies++;
        for (int index = cached_count(synced, INT64_MAX); index < synced->count; index++) {
            synced->changes[index].cached = disk->lies;
        }
        return;
    }
    for (image *image = disk->images; image != NULL; image = image->next) {
        keep_changes(image, image == synced ? image->count : cached_count(image, INT64_MAX));
    }
}

static void delete_image(faulty_disk *disk, image *deleted) {
    int cached = cached_count(deleted, INT64_MAX);
    for (int index = cached; index < deleted->count; index++) free(deleted->changes[index].bytes);
    deleted->count = cached;
    if (lies_pending(disk) == 0) {
        deleted->durable_length = DELETED;
        return;
    }
    // In the disk's cache, behind what is there.
    note(deleted, 0, NULL, DELETED);
    deleted->changes[cached].cached = ++disk->lies;
}

// A write of several sectors may have been under way.
static int64_t survives(faulty_disk *disk, const change *change) {
    switch (disk->random(disk->context, 3)) {
    case 0: return 0;
    case 1: return change->length;
    default:
        if (change->bytes == NULL) return change->length;
        return change->length < SECTOR
            ? change->length
            : (int64_t)disk->random(disk->context, (uint32_t)(change->length / SECTOR + 1)) * SECTOR;
    }
}

static int write_out(const image *image) {
    if (image->durable_length == DELETED) {
        unlink(image->path);
        return 0;
    }
    // Not O_TRUNC: ext4 writes a file that was truncated out when it is closed.
    int descriptor = open(image->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor < 0) return -1;
    int64_t written = 0;
    while (written < image->durable_length) {
        ssize_t count = write(descriptor, image->durable + written, (size_t)(image->durable_length - written));
        if (count <= 0) break;
        written += count;
    }
    int is_cut = ftruncate(descriptor, written) == 0;
    close(descriptor);
    return is_cut && written == image->durable_length ? 0 : -1;
}

int faulty_disk_lose_power(faulty_disk *disk) {
    // It writes its cache out in its order.
    int64_t pending = lies_pending(disk);
    int64_t kept = pending == 0 ? disk->lies : disk->lies - disk->random(disk->context, (uint32_t)pending + 1);
    int is_lost = 0;
    for (image *image = disk->images; image != NULL; image = image->next) {
        keep_changes(image, cached_count(image, kept));
        is_lost |= cached_count(image, INT64_MAX) > 0;
    }
    int result = is_lost;
    // What is found there grows no longer by what was lost; two powers in a row do not lose more than one.
    int none_survive = disk->random(disk->context, 4) == 0;
    for (image *image = disk->images; image != NULL; image = image->next) {
        // Behind what is lost of the cache nothing was written.
        if (is_lost) forget_changes(image, image->count);
        for (int index = 0; index < image->count; index++) {
            const change *change = &image->changes[index];
            int64_t length = none_survive ? 0 : survives(disk, change);
            if (length > 0 || (change->bytes == NULL && !none_survive)) apply(image, change, length);
        }
        forget_changes(image, image->count);
        if (write_out(image) != 0) result = -1;
        // Shared memory.
        size_t size = strlen(image->path) + sizeof("-shm");
        char *shared = checked(malloc(size));
        snprintf(shared, size, "%s-shm", image->path);
        unlink(shared);
        free(shared);
    }
    return result;
}

int64_t faulty_disk_unsynced(const faulty_disk *disk) {
    int64_t bytes = 0;
    for (const image *image = disk->images; image != NULL; image = image->next) {
        for (int index = cached_count(image, INT64_MAX); index < image->count; index++) {
            if (image->changes[index].bytes != NULL) bytes += image->changes[index].length;
        }
    }
    return bytes;
}

// MARK: Files

static sqlite3_file *real(sqlite3_file *base) { return ((file *)base)->real; }

static int fate(faulty_disk *disk, faulty_disk_operation operation, int error) {
    if (disk->is_dead) return error;
    int code = disk->decide(disk->context, operation);
    // The decision may have been that the process ends here.
    return code != SQLITE_OK ? code : disk->is_dead ? error : SQLITE_OK;
}

static int shim_close(sqlite3_file *base) { return real(base)->pMethods->xClose(real(base)); }

static int shim_read(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
    return real(base)->pMethods->xRead(real(base), bytes, count, offset);
}

static int shim_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
    file *self = (file *)base;
    int code = fate(self->disk, FAULTY_DISK_WRITE, SQLITE_IOERR_WRITE);
    if (code != SQLITE_OK) {
        // A disk that is full, and one that fails, has taken the beginning.
        if (self->disk->is_dead || count < SECTOR) return code;
        count = count / 2 / SECTOR * SECTOR;
    }
    if (count == 0) return code;
    int result = real(base)->pMethods->xWrite(real(base), bytes, count, offset);
    if (result == SQLITE_OK) note(self->image, offset, bytes, count);
    return code != SQLITE_OK ? code : result;
}

static int shim_truncate(sqlite3_file *base, sqlite3_int64 size) {
    file *self = (file *)base;
    int code = fate(self->disk, FAULTY_DISK_TRUNCATE, SQLITE_IOERR_TRUNCATE);
    if (code != SQLITE_OK) return code;
    code = real(base)->pMethods->xTruncate(real(base), size);
    if (code == SQLITE_OK) note(self->image, 0, NULL, size);
    return code;
}

static int shim_sync(sqlite3_file *base, int flags) {
    (void)flags;
    file *self = (file *)base;
    int code = fate(self->disk, FAULTY_DISK_SYNC, SQLITE_IOERR_FSYNC);
    if (code == SQLITE_OK) sync_image(self->disk, self->image);
    return code;
}

static int shim_size(sqlite3_file *base, sqlite3_int64 *size) {
    return real(base)->pMethods->xFileSize(real(base), size);
}

static int shim_lock(sqlite3_file *base, int level) { return real(base)->pMethods->xLock(real(base), level); }
static int shim_unlock(sqlite3_file *base, int level) { return real(base)->pMethods->xUnlock(real(base), level); }

static int shim_is_reserved(sqlite3_file *base, int *result) {
    return real(base)->pMethods->xCheckReservedLock(real(base), result);
}

static int shim_control(sqlite3_file *base, int operation, void *argument) {
    return real(base)->pMethods->xFileControl(real(base), operation, argument);
}

static int shim_sector(sqlite3_file *base) { return real(base)->pMethods->xSectorSize(real(base)); }

static int shim_characteristics(sqlite3_file *base) {
    return real(base)->pMethods->xDeviceCharacteristics(real(base));
}

static int shim_shm_map(sqlite3_file *base, int page, int size, int extends, void volatile **result) {
    return real(base)->pMethods->xShmMap(real(base), page, size, extends, result);
}

static int shim_shm_lock(sqlite3_file *base, int offset, int count, int flags) {
    return real(base)->pMethods->xShmLock(real(base), offset, count, flags);
}

static void shim_shm_barrier(sqlite3_file *base) { real(base)->pMethods->xShmBarrier(real(base)); }

static int shim_shm_unmap(sqlite3_file *base, int deletes) {
    return real(base)->pMethods->xShmUnmap(real(base), deletes);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = shim_close,
    .xRead = shim_read,
    .xWrite = shim_write,
    .xTruncate = shim_truncate,
    .xSync = shim_sync,
    .xFileSize = shim_size,
    .xLock = shim_lock,
    .xUnlock = shim_unlock,
    .xCheckReservedLock = shim_is_reserved,
    .xFileControl = shim_control,
    .xSectorSize = shim_sector,
    .xDeviceCharacteristics = shim_characteristics,
    .xShmMap = shim_shm_map,
    .xShmLock = shim_shm_lock,
    .xShmBarrier = shim_shm_barrier,
    .xShmUnmap = shim_shm_unmap,
};

// MARK: The VFS

static int shim_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *base, int flags, int *result) {
    (void)vfs;
    faulty_disk *disk = disk_of(path);
    if (disk == NULL) return real_vfs->xOpen(real_vfs, path, base, flags, result);
    file *self = (file *)base;
    self->base.pMethods = NULL;
    self->disk = disk;
    self->real = (sqlite3_file *)(self + 1);
    int code = real_vfs->xOpen(real_vfs, path, self->real, flags, result);
    if (code != SQLITE_OK) return code;
    self->image = image_of(disk, path);
    self->base.pMethods = &methods;
    return SQLITE_OK;
}

static int shim_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
    (void)vfs;
    faulty_disk *disk = disk_of(path);
    if (disk != NULL) {
        // What this disk keeps is decided here, not by the one below.
        syncs = 0;
        int code = fate(disk, FAULTY_DISK_DELETE, SQLITE_IOERR_DELETE);
        if (code != SQLITE_OK) return code;
        delete_image(disk, image_of(disk, path));
    }
    return real_vfs->xDelete(real_vfs, path, syncs);
}

static void register_shim(void) {
    real_vfs = sqlite3_vfs_find(NULL);
    if (real_vfs == NULL) abort();
    shim = *real_vfs;
    shim.zName = "faulty-disk";
    shim.pNext = NULL;
    shim.szOsFile = (int)sizeof(file) + real_vfs->szOsFile;
    shim.xOpen = shim_open;
    shim.xDelete = shim_delete;
    if (sqlite3_vfs_register(&shim, 1) != SQLITE_OK) abort();
}

faulty_disk *faulty_disk_create(
    const char *directory, faulty_disk_decide decide, faulty_disk_random random, void *context
) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_shim);
    faulty_disk *disk = checked(calloc(1, sizeof(faulty_disk)));
    *disk = (faulty_disk){
        .directory = checked(strdup(directory)), .decide = decide, .random = random, .context = context};
    pthread_mutex_lock(&disks_lock);
    disk->next = disks;
    disks = disk;
    pthread_mutex_unlock(&disks_lock);
    return disk;
}

void faulty_disk_set_dead(faulty_disk *disk, int is_dead) { disk->is_dead = is_dead; }

void faulty_disk_set_lying(faulty_disk *disk, int is_lying) { disk->is_lying = is_lying; }

void faulty_disk_free(faulty_disk *disk) {
    pthread_mutex_lock(&disks_lock);
    for (faulty_disk **place = &disks; *place != NULL; place = &(*place)->next) {
        if (*place == disk) {
            *place = disk->next;
            break;
        }
    }
    pthread_mutex_unlock(&disks_lock);
    for (image *next, *image = disk->images; image != NULL; image = next) {
        next = image->next;
        forget_changes(image, image->count);
        free(image->changes);
        free(image->durable);
        free(image->path);
        free(image);
    }
    free(disk->directory);
    free(disk);
}
